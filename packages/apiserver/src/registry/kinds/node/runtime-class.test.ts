import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';

describe('a RuntimeClass', () => {
  it('requires a handler, which is immutable', async () => {
    using kind = new TestKind('/apis/node.k8s.io/v1/runtimeclasses', {
      metadata: { name: 'r' },
      handler: 'h',
    });
    await kind.refusesToCreate([
      [{ handler: '' }, 'handler: Required value'],
      [
        { handler: 'A' },
        "handler: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      ],
      [
        { overhead: { podFixed: { cpu: '-1' } } },
        'overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0',
      ],
      [
        { scheduling: { nodeSelector: { 'a b': 'c' } } },
        "scheduling.nodeSelector: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
      [
        {
          scheduling: {
            tolerations: [
              { key: 'a', operator: 'Exists' },
              { key: 'a', operator: 'Exists' },
            ],
          },
        },
        'scheduling.tolerations[1]: Duplicate value: {"Key":"a","Operator":"Exists","Value":"","Effect":"","TolerationSeconds":null}',
      ],
    ]);
    const object = await kind.given();
    await kind.refusesToUpdate(object, [
      [{ handler: 'i' }, 'handler: Invalid value: "i": field is immutable'],
    ]);
  });
});
