import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';

const NAMESPACE = '/api/v1/namespaces/default';

describe('a Secret', () => {
  const secrets = (): TestKind =>
    new TestKind(`${NAMESPACE}/secrets`, { metadata: { name: 's' }, data: { a: 'MQ==' } });

  it('is opaque by default, and converts stringData to data', async () => {
    using kind = secrets();
    const secret = await kind.created({ stringData: { a: '2', b: '3' } });
    assert.equal(secret['type'], 'Opaque');
    assert.deepEqual(secret['data'], { a: 'Mg==', b: 'Mw==' });
    assert.equal(secret['stringData'], undefined);
  });

  it('requires the keys of its type', async () => {
    using kind = secrets();
    await kind.refusesToCreate([
      [
        { type: 'kubernetes.io/tls' },
        'data[tls.crt]: Required value',
        'data[tls.key]: Required value',
      ],
      [{ type: 'kubernetes.io/dockercfg' }, 'data[.dockercfg]: Required value'],
      [{ type: 'kubernetes.io/dockerconfigjson' }, 'data[.dockerconfigjson]: Required value'],
      [
        { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': 'eA==' } },
        'data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": invalid character \'x\' looking for beginning of value',
      ],
      [
        { type: 'kubernetes.io/basic-auth' },
        'data[username]: Required value',
        'data[password]: Required value',
      ],
      [{ type: 'kubernetes.io/ssh-auth' }, 'data[ssh-privatekey]: Required value'],
      [
        { type: 'kubernetes.io/service-account-token' },
        'metadata.annotations[kubernetes.io/service-account.name]: Required value',
      ],
      [
        { data: { 'a/b': 'MQ==' } },
        "data[a/b]: Invalid value: \"a/b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
      ],
      [
        { data: { a: Buffer.alloc(1024 * 1024 + 1).toString('base64') } },
        'data: Too long: may not be more than 1048576 bytes',
      ],
    ]);
    await kind.created({ type: 'kubernetes.io/basic-auth', data: { username: 'eA==' } });
  });

  it('rejects changes of its type, and all changes once it is immutable', async () => {
    using kind = secrets();
    const secret = await kind.given({ immutable: true });
    await kind.refusesToUpdate(secret, [
      [{ type: 'other' }, 'type: Invalid value: "other": field is immutable'],
      [{ data: { a: 'Mg==' } }, 'data: Forbidden: field is immutable when `immutable` is set'],
      [
        { immutable: undefined },
        'immutable: Forbidden: field is immutable when `immutable` is set',
      ],
    ]);
    const { type } = (await kind.updated(secret, { type: undefined })) as { type?: string };
    assert.equal(type, 'Opaque');
  });

  it('can be selected by its type', async () => {
    using kind = secrets();
    await kind.given({ type: 'example.com/x' });
    const { body } = await kind.server.get(
      `${NAMESPACE}/secrets?fieldSelector=type%3Dexample.com/x`,
    );
    assert.equal(body.items?.length, 1);
  });
});
