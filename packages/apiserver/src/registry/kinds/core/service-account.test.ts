import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';

const NAMESPACE = '/api/v1/namespaces/default';

describe('a ServiceAccount', () => {
  it('requires only a name', async () => {
    using kind = new TestKind(`${NAMESPACE}/serviceaccounts`, { metadata: { name: 'a' } });
    await kind.refusesToCreate([
      [
        { metadata: { name: 'A' } },
        "metadata.name: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    ]);
    const account = await kind.given({ secrets: [{ name: 's' }] });
    await kind.updated(account, { secrets: [] });
  });
});
