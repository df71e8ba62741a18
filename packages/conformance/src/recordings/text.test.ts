import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { textNormaliser } from './text.ts';

const now = Date.parse('2027-03-01T00:00:00Z');
const normalise = textNormaliser(
  [
    { pattern: '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', as: '<uid>' },
    { pattern: String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`, as: '<time>' },
    { pattern: String.raw`(current: )\d+$`, as: '$1<rv>' },
  ],
  now,
);

describe('volatile text', () => {
  it('loses the times of the server but keeps those that clients sent', () => {
    const recorded = normalise('at 2026-11-15T04:00:00Z, not 2024-01-02T03:04:05Z', 'recorded');
    const own = normalise('at 2027-03-01T00:00:09Z, not 2024-01-02T03:04:05Z', 'own');
    assert.equal(recorded.text, 'at <time>, not 2024-01-02T03:04:05Z');
    assert.equal(own.text, recorded.text);
  });

  it('keeps uids aside, in order', () => {
    const uid = '0408b8b1-49da-47a9-ac80-456cef0713c2';
    assert.deepEqual(normalise(`uid ${uid}!`, 'own'), { text: 'uid <uid>!', uids: [uid] });
  });

  it('follows the other rules as they stand', () => {
    assert.equal(normalise('current: 17', 'own').text, 'current: <rv>');
  });
});
