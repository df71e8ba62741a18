import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';

const NAMESPACE = '/api/v1/namespaces/default';

describe('a ConfigMap', () => {
  const maps = (): TestKind =>
    new TestKind(`${NAMESPACE}/configmaps`, { metadata: { name: 'c' }, data: { a: '1' } });

  it('rejects invalid or duplicate keys, and too much data', async () => {
    using kind = maps();
    await kind.refusesToCreate([
      [
        { metadata: { name: 'A' } },
        "metadata.name: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
      [
        { data: { 'a b': '1' } },
        "data[a b]: Invalid value: \"a b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
      ],
      [{ data: { '..': '1' } }, 'data[..]: Invalid value: "..": must not be \'..\''],
      [
        { data: { ['a'.repeat(254)]: '1' } },
        'data[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa]: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 253 characters',
      ],
      [
        { binaryData: { a: 'AA==' } },
        'data[a]: Invalid value: "a": duplicate of key present in binaryData',
      ],
      [
        { data: { a: 'x'.repeat(1024 * 1024 + 1) } },
        '[]: Too long: may not be more than 1048576 bytes',
      ],
    ]);
    await kind.created({ data: { a: 'x'.repeat(1024 * 1024) } });
  });

  it('rejects changes once it is immutable', async () => {
    using kind = maps();
    const map = await kind.given({ immutable: true });
    await kind.updated(map, { metadata: { labels: { a: 'b' } } });
    await kind.refusesToUpdate(map, [
      [{ data: { a: '2' } }, 'data: Forbidden: field is immutable when `immutable` is set'],
      [
        { binaryData: { b: 'AA==' } },
        'binaryData: Forbidden: field is immutable when `immutable` is set',
      ],
      [{ immutable: false }, 'immutable: Forbidden: field is immutable when `immutable` is set'],
      [
        { immutable: undefined },
        'immutable: Forbidden: field is immutable when `immutable` is set',
      ],
    ]);
  });
});
