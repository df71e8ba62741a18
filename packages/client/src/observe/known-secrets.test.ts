import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestInformer } from '../cache/test-informer.ts';
import { noteCredentials } from '../transport/used-credentials.ts';
import { KnownSecrets } from './known-secrets.ts';

function encoded(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** Writes an object with more fields: a label carries them, and {@link cacheOf} reads it. */
function write({ source }: TestInformer, key: string, fields: object): void {
  source.write(key, { fields: JSON.stringify(fields) });
}

/** An informer with an object in its cache. */
async function cacheOf(
  name: string,
  fields: object,
): Promise<{ readonly test: TestInformer; readonly known: KnownSecrets }> {
  const informer = new TestInformer({
    name,
    transform: (object) => ({
      ...object,
      ...(JSON.parse(object.metadata?.labels?.['fields'] ?? '{}') as object),
    }),
  });
  write(informer, 'object', fields);
  await informer.start();
  return { test: informer, known: new KnownSecrets(() => [informer.informer]) };
}

test('hides values of cached Secrets wherever they occur, encoded and in quotes as well', async () => {
  const password = 'tr0ub4dor & "three"';
  const { test: informer, known } = await cacheOf('secrets', {
    kind: 'Secret',
    data: { password: encoded(password), short: encoded('word') },
  });
  const cases = [
    [`cannot log in as word with ${password}!`, 'cannot log in as word with <hidden>!'],
    [JSON.stringify({ password }), '{"password":"<hidden>"}'],
    [`${encoded(password)} is wrong`, '<hidden> is wrong'],
    ['cut within: tr0ub4dor', 'cut within: <hidden>'],
    ['tr0ub4dor stays, it is another word', 'tr0ub4dor stays, it is another word'],
    ['nothing of it', 'nothing of it'],
  ] as const;
  for (const [text, expected] of cases) assert.equal(known.hide(text), expected);
  await informer.stop();
});

test('knows the values of changed and deleted Secrets, and those of each line', async () => {
  const { test: informer, known } = await cacheOf('secrets', {
    data: { 'id.pem': encoded('-----BEGIN X-----\nfirst line of it\nsecond line\n') },
  });
  assert.equal(known.hide('second line, -----BEGIN X-----'), '<hidden>, -----BEGIN X-----');
  write(informer, 'object', { data: { 'id.pem': encoded('replacement') } });
  await informer.settle();
  assert.equal(known.hide('replacement'), '<hidden>');
  informer.source.remove('object');
  await informer.settle();
  assert.equal(known.hide('first line of it, replacement'), '<hidden>, <hidden>');
  await informer.stop();
});

test('leaves the namespace of a service account token and the data of other objects', async () => {
  const type = 'kubernetes.io/service-account-token';
  const data = { namespace: encoded('kube-system'), token: encoded('opaque-token') };
  const secrets = await cacheOf('secrets', { type, data });
  assert.equal(secrets.known.hide('opaque-token of kube-system'), '<hidden> of kube-system');
  const maps = await cacheOf('configmaps', { kind: 'ConfigMap', data });
  assert.equal(maps.known.hide(encoded('opaque-token')), encoded('opaque-token'));
  await Promise.all([secrets.test.stop(), maps.test.stop()]);
});

test('hides the credentials that clients have used', () => {
  const known = new KnownSecrets(() => []);
  assert.equal(known.hide('of token-of-a-client'), 'of token-of-a-client');
  noteCredentials('Bearer token-of-a-client');
  noteCredentials(`Basic ${encoded('admin:swordfish1')}`);
  assert.equal(known.hide('of token-of-a-client'), 'of <hidden>');
  assert.equal(known.hide('admin, swordfish1'), 'admin, <hidden>');
});
