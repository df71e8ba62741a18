import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { recordingLogger } from '../lib/test-logger.ts';
import { parseWarnings, reportWarnings, warnOnce } from './warnings.ts';

describe('parseWarnings', () => {
  it('reads one or several, in one header or several', () => {
    const old = { code: 299, agent: '-', text: 'v1 Endpoints is deprecated' };
    const other = { code: 199, agent: 'proxy:80', text: 'stale, "very"' };
    const first = '299 - "v1 Endpoints is deprecated"';
    const second = String.raw`199 proxy:80 "stale, \"very\"" "Tue, 15 Nov 1994 08:12:31 GMT"`;
    assert.deepEqual(parseWarnings({ warning: first }), [old]);
    assert.deepEqual(parseWarnings({ warning: `${first}, ${second}` }), [old, other]);
    assert.deepEqual(parseWarnings({ warning: [second, first] }), [other, old]);
  });

  it('returns none for an empty header, and stops at invalid syntax', () => {
    assert.deepEqual(parseWarnings({}), []);
    assert.deepEqual(parseWarnings({ warning: 'careful!' }), []);
    assert.deepEqual(parseWarnings({ warning: '299 - "a", nonsense, 299 - "b"' }), [
      { code: 299, agent: '-', text: 'a' },
    ]);
    assert.deepEqual(parseWarnings({ warning: '299 - "unfinished' }), []);
  });
});

describe('reportWarnings', () => {
  it('reports warnings with code 299 and a text', () => {
    const told: string[] = [];
    reportWarnings(
      [
        { code: 299, agent: '-', text: 'yes' },
        { code: 199, agent: '-', text: 'no' },
        { code: 299, agent: '-', text: '' },
      ],
      ({ text, agent }) => told.push(`${agent} ${text}`),
    );
    assert.deepEqual(told, ['- yes']);
  });
});

describe('warnOnce', () => {
  it('logs each text once', () => {
    const logger = recordingLogger();
    const warn = warnOnce(logger);
    for (const text of ['first', 'first', 'second', 'first']) warn({ text, agent: '-' });
    assert.deepEqual(logger.lines, [
      'warn the server warns: first',
      'warn the server warns: second',
    ]);
  });
});
