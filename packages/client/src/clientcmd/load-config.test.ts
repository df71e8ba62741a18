import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ConfigError } from './config-error.ts';
import {
  buildConfigFromFlags,
  inClusterConfig,
  inClusterNamespace,
  loadConfig,
  type LoadConfigOptions,
} from './load-config.ts';

let folder = '';
const at = (name: string): string => join(folder, name);

/** A kubeconfig with one cluster, user and context, all named `name`. */
function kubeconfig(name: string, cluster: object, user: object, namespace = ''): string {
  return JSON.stringify({
    'current-context': name,
    clusters: [{ name, cluster }],
    users: [{ name, user }],
    contexts: [{ name, context: { cluster: name, user: name, namespace } }],
  });
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-ts-'));
  await mkdir(at('sub'));
  await mkdir(at('home/.kube'), { recursive: true });
  await writeFile(at('sub/ca.pem'), 'CA');
  await writeFile(at('sub/token'), 'from-file\n');
  await writeFile(
    at('sub/one'),
    kubeconfig(
      'one',
      { server: 'https://one:6443', 'certificate-authority': 'ca.pem' },
      { tokenFile: 'token' },
      'team',
    ),
  );
  await writeFile(
    at('two'),
    kubeconfig('two', { server: 'https://two:6443' }, { token: 'secret-two' }),
  );
  await writeFile(
    at('home/.kube/config'),
    kubeconfig('home', { server: 'https://home:6443', 'insecure-skip-tls-verify': true }, {}),
  );
});
after(() => rm(folder, { recursive: true, force: true }));

async function load(options: LoadConfigOptions): Promise<Awaited<ReturnType<typeof loadConfig>>> {
  return await loadConfig({ env: { HOME: at('home') }, ...options });
}

async function refusal(options: LoadConfigOptions): Promise<ConfigError> {
  const error = await load(options).then(
    () => assert.fail('it was accepted'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ConfigError);
  return error;
}

describe('loadConfig', () => {
  it('reads the file in the home folder if nothing else is said', async () => {
    assert.deepEqual(await load({}), {
      server: 'https://home:6443',
      namespace: 'default',
      tls: { insecure: true },
    });
  });

  it('reads the files of KUBECONFIG, skips missing ones, and resolves paths beside each file', async () => {
    const KUBECONFIG = [at('missing'), at('sub/one'), at('two'), at('sub/one')].join(':');
    const config = await load({ env: { KUBECONFIG } });
    assert.equal(config.server, 'https://one:6443');
    assert.equal(config.namespace, 'team');
    assert.deepEqual(config.tls, { caFile: at('sub/ca.pem') });
    assert.deepEqual(config.auth, { tokenFile: at('sub/token') });
    const other = await load({ env: { KUBECONFIG }, context: 'two' });
    assert.deepEqual(other.auth, { token: 'secret-two' });
  });

  it('requires a named file to exist', async () => {
    const error = await refusal({ kubeconfig: at('missing') });
    assert.equal(error.code, 'CONFIG_UNREADABLE');
  });

  it('lists the contexts when the wanted one is not there', async () => {
    const error = await refusal({ kubeconfig: at('two'), context: 'nope' });
    assert.equal(error.code, 'CONFIG_NOT_FOUND');
    assert.equal(error.message, 'there is no context "nope"');
    assert.match(error.hint ?? '', /two/);
  });

  it('prefers overrides, and drops what they contradict', async () => {
    const config = await load({
      kubeconfig: at('sub/one'),
      server: 'https://other:1',
      insecureSkipTlsVerify: true,
      token: 'mine',
      namespace: 'n',
      as: 'bob',
      asGroups: ['g'],
    });
    assert.deepEqual(config, {
      server: 'https://other:1',
      namespace: 'n',
      tls: { insecure: true },
      auth: { token: 'mine' },
      impersonate: { user: 'bob', groups: ['g'] },
    });
  });

  it('sends no credentials to a server without TLS', async () => {
    const config = await load({ kubeconfig: at('two'), server: 'http://two:8080' });
    assert.equal(config.auth, undefined);
  });

  it('refuses contradictions and names their file', async () => {
    await writeFile(
      at('bad'),
      kubeconfig('bad', { server: 'https://x' }, { token: 't', username: 'u', password: 'hidden' }),
    );
    const error = await refusal({ kubeconfig: at('bad') });
    assert.equal(error.code, 'CONFIG_INVALID');
    assert.match(
      error.message,
      /bad: user "bad": token and username and password cannot both be set/,
    );
    assert.doesNotMatch(error.message, /hidden/);
    await writeFile(
      at('bad'),
      kubeconfig('bad', { server: 'https://x', 'certificate-authority': 'gone.pem' }, {}),
    );
    assert.match((await refusal({ kubeconfig: at('bad') })).message, /gone\.pem: cannot be read/);
    await writeFile(at('bad'), kubeconfig('bad', { server: '' }, {}));
    assert.match(
      (await refusal({ kubeconfig: at('bad') })).message,
      /cluster "bad": server must be set/,
    );
    await writeFile(
      at('bad'),
      kubeconfig('bad', { server: 'https://x' }, { 'auth-provider': { name: 'gcp' } }),
    );
    assert.match(
      (await refusal({ kubeconfig: at('bad') })).message,
      /auth-provider "gcp" is not supported/,
    );
  });

  it('ignores a user that the context names and the file lacks, as client-go does', async () => {
    await writeFile(
      at('no-user'),
      JSON.stringify({
        'current-context': 'x',
        clusters: [{ name: 'c', cluster: { server: 'https://c' } }],
        contexts: [{ name: 'x', context: { cluster: 'c', user: 'gone' } }],
      }),
    );
    assert.deepEqual(await load({ kubeconfig: at('no-user') }), {
      server: 'https://c',
      namespace: 'default',
    });
    assert.equal(
      (await refusal({ kubeconfig: at('no-user'), user: 'gone' })).message,
      'there is no user "gone"',
    );
  });

  it('reads schemes in any case', async () => {
    await writeFile(
      at('capitals'),
      kubeconfig(
        'x',
        { server: 'HTTPS://X:6443/Path', 'proxy-url': 'SOCKS5://p:1' },
        { token: 'mine' },
      ),
    );
    assert.deepEqual(await load({ kubeconfig: at('capitals') }), {
      server: 'https://X:6443/Path',
      namespace: 'default',
      auth: { token: 'mine' },
      proxyUrl: 'socks5://p:1',
    });
  });

  it('leaves the paths of the file where they are when a certificate is overridden', async () => {
    await writeFile(at('sub/other.pem'), 'CERT');
    const config = await load({
      kubeconfig: at('sub/one'),
      clientCertificate: relative(process.cwd(), at('sub/other.pem')),
      clientKey: relative(process.cwd(), at('sub/other.pem')),
    });
    assert.deepEqual(config.auth, { tokenFile: at('sub/token') });
    assert.deepEqual(config.tls, {
      caFile: at('sub/ca.pem'),
      certFile: at('sub/other.pem'),
      keyFile: at('sub/other.pem'),
    });
  });

  it('has a hint if there is no configuration at all', async () => {
    const error = await refusal({ env: { HOME: at('missing') } });
    assert.equal(error.code, 'CONFIG_EMPTY');
    assert.match(error.hint ?? '', /KUBECONFIG/);
  });
});

describe('buildConfigFromFlags', () => {
  it('reads no kubeconfig unless its path is given', async (t) => {
    const { KUBECONFIG } = process.env;
    process.env['KUBECONFIG'] = at('two');
    t.after(() => {
      if (KUBECONFIG === undefined) delete process.env['KUBECONFIG'];
      else process.env['KUBECONFIG'] = KUBECONFIG;
    });
    assert.deepEqual(await buildConfigFromFlags('https://other:1'), {
      server: 'https://other:1',
      namespace: 'default',
    });
    await assert.rejects(buildConfigFromFlags(), { code: 'CONFIG_EMPTY' });
    const named = await buildConfigFromFlags('https://other:1', at('two'));
    assert.deepEqual(named.auth, { token: 'secret-two' });
    assert.equal(named.server, 'https://other:1');
  });
});

const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };

describe('inClusterConfig', () => {
  it('uses the mounted service account', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'client-ts-'));
    t.after(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'token'), 'abc\n');
    await writeFile(join(folder, 'namespace'), 'web');
    assert.deepEqual(await inClusterConfig({ env, folder }), {
      server: 'https://[fd00::1]:443',
      namespace: 'web',
      auth: { token: 'abc', tokenFile: join(folder, 'token') },
    });
    await writeFile(join(folder, 'ca.crt'), 'CA');
    const config = await inClusterConfig({ env, folder });
    assert.deepEqual(config.tls, { caFile: join(folder, 'ca.crt') });
    const told = await inClusterNamespace({ env: { POD_NAMESPACE: 'told' }, folder });
    assert.equal(told, 'told');
  });

  it('fails outside of a pod, and without a token', async () => {
    const code = async (options: object): Promise<string> =>
      await inClusterConfig(options).then(
        () => 'accepted',
        (error: unknown) => (error as ConfigError).code,
      );
    assert.equal(await code({ env: {} }), 'CONFIG_NOT_IN_CLUSTER');
    assert.equal(await code({ env, folder: join(tmpdir(), 'nothing-here') }), 'CONFIG_UNREADABLE');
  });
});
