import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';

const CLASSES = '/apis/storage.k8s.io/v1/storageclasses';

const CLASS = { metadata: { name: 'c' }, provisioner: 'example.com/p' };

describe('a StorageClass', () => {
  it('rejects changes of its immutable fields', async () => {
    using kind = new TestKind(CLASSES, CLASS);
    await kind.refusesToCreate([
      [{ provisioner: '' }, 'provisioner: Required value'],
      [
        { provisioner: 'a b' },
        "provisioner: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
      [
        { reclaimPolicy: 'Recycle' },
        'reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"',
      ],
      [
        { volumeBindingMode: 'X' },
        'volumeBindingMode: Unsupported value: "X": supported values: "Immediate", "WaitForFirstConsumer"',
      ],
      [{ parameters: { '': 'x' } }, 'parameters: Invalid value: "": field can not be empty.'],
      [
        { allowedTopologies: [{ matchLabelExpressions: [{ key: 'a b', values: [] }] }] },
        'allowedTopologies[0].matchLabelExpressions[0].values: Required value',
        "allowedTopologies[0].matchLabelExpressions[0].key: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
      [
        { allowedTopologies: [{ matchLabelExpressions: [{ key: 'a', values: ['b', 'b'] }] }] },
        'allowedTopologies[0].matchLabelExpressions[0].values[1]: Duplicate value: "b"',
      ],
    ]);
    const object = await kind.given();
    await kind.updated(object, { allowVolumeExpansion: true });
    await kind.refusesToUpdate(object, [
      [{ provisioner: 'x' }, 'provisioner: Invalid value: "x": field is immutable'],
      [{ parameters: { a: 'b' } }, 'parameters: Invalid value: {"a":"b"}: field is immutable'],
      [{ reclaimPolicy: 'Retain' }, 'reclaimPolicy: Invalid value: "Retain": field is immutable'],
      [
        { volumeBindingMode: 'WaitForFirstConsumer' },
        'volumeBindingMode: Invalid value: "WaitForFirstConsumer": field is immutable',
      ],
    ]);
  });
});
