import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { newBadRequest, newInvalid } from 'client-ts/meta';

import { TestServer } from '../testing/test-server.ts';
import { boundedStatus } from './status-limits.ts';

describe('a Status', () => {
  it('of ordinary size is unchanged', () => {
    const { status } = newBadRequest('x'.repeat(1000));
    assert.equal(boundedStatus(status), status);
  });

  it('is limited in its texts and the number of its causes', () => {
    const causes = Array.from({ length: 500 }, (_, index) => ({
      reason: 'FieldValueInvalid',
      field: `metadata.ownerReferences[${index}]`,
      message: '😀'.repeat(10_000),
    }));
    const { status } = newInvalid({ group: '', kind: 'Pod' }, 'n'.repeat(1_000_000), causes);
    const bounded = boundedStatus(status);
    assert.ok((bounded.details?.causes?.length ?? 0) < 200);
    const text = JSON.stringify(bounded);
    assert.ok(text.length < 4_500_000, `${text.length} characters`);
    // No character is cut in half.
    assert.equal(Buffer.from(text).toString(), text);
    assert.match(bounded.message ?? '', /… \(\d+ more characters\)$/);
    assert.equal(bounded.code, 422);
    assert.equal(bounded.reason, 'Invalid');
  });

  for (const [name, query] of [
    ['a field manager of control characters', `fieldManager=${'%09'.repeat(100_000)}`],
    ['a thousand kinds of dryRun', 'dryRun=x&'.repeat(50_000)],
    ['a fieldValidation without end', `fieldValidation=${'"'.repeat(300_000)}`],
    ['a limit of digits', `limit=${'9'.repeat(300_000)}`],
  ] as const) {
    it(`about ${name} is short`, async () => {
      using server = new TestServer();
      const path = `/api/v1/namespaces/default/configmaps?${query}`;
      const object = { metadata: { name: 'x' } };
      const answers = [await server.post(path, object), await server.get(path)];
      const refused = answers.filter(({ status }) => status === 422 || status === 400);
      assert.ok(refused.length > 0);
      for (const { bytes } of refused) assert.ok(bytes.length < 5_000_000, `${bytes.length} bytes`);
      assert.deepEqual(server.errors, []);
    });
  }
});
