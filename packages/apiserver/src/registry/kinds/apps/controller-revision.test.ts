import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';

const APPS = '/apis/apps/v1/namespaces/default';

describe('a ControllerRevision', () => {
  it('requires data, which is immutable', async () => {
    using kind = new TestKind(`${APPS}/controllerrevisions`, {
      metadata: { name: 'r' },
      data: { a: null },
      revision: 1,
    });
    await kind.refusesToCreate([
      [{ data: undefined }, 'data: Required value: data is mandatory'],
      [{ data: 5 }, 'data: Required value: data must be a valid JSON object'],
      [{ revision: -1 }, 'revision: Invalid value: -1: must be greater than or equal to 0'],
    ]);
    const object = await kind.given();
    await kind.updated(object, { revision: 2 });
    await kind.refusesToUpdate(object, [
      [{ data: { a: 1 } }, 'data: Invalid value: {"a":1}: field is immutable'],
    ]);
  });
});
