import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { VirtualClock } from '../testing/index.ts';
import { ConfigError } from './config-error.ts';
import { ExecCredentials } from './exec-credentials.ts';
import type { Cluster, ExecConfig } from './kubeconfig.ts';

const V1 = 'client.authentication.k8s.io/v1';
let folder = '';
let runs = '';

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-ts-'));
  runs = join(folder, 'runs');
});
after(() => rm(folder, { recursive: true, force: true }));

/** A plugin that notes that it ran, keeps what it was told, and prints `output`. */
async function plugin(name: string, output: string, code = 0): Promise<string> {
  const file = join(folder, name);
  await writeFile(
    file,
    `#!/bin/sh\necho run >> ${runs}\nprintf '%s' "$KUBERNETES_EXEC_INFO" > ${runs}.info\n` +
      `printf '%s' "$EXTRA:$1" > ${runs}.args\ncat <<'END'\n${output}\nEND\nexit ${code}\n`,
  );
  await chmod(file, 0o755);
  return file;
}

const cluster: Cluster = {
  server: 'https://10.0.0.1',
  tlsServerName: '',
  insecureSkipTlsVerify: false,
  certificateAuthority: '',
  certificateAuthorityData: 'Q0E=',
  proxyUrl: '',
  disableCompression: false,
  extensions: [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'x' } }],
};

function exec(command: string, more: Partial<ExecConfig> = {}): ExecConfig {
  return {
    apiVersion: V1,
    command,
    args: [],
    env: [],
    installHint: '',
    provideClusterInfo: false,
    interactiveMode: 'Never',
    ...more,
  };
}

function source(
  config: ExecConfig,
  more: { clock?: VirtualClock; isTerminal?: boolean } = {},
): ExecCredentials {
  return new ExecCredentials({
    exec: config,
    origin: join(folder, 'config'),
    cluster: { value: cluster, origin: '' },
    ...more,
  });
}

function credential(status: object, apiVersion = V1): string {
  return JSON.stringify({ kind: 'ExecCredential', apiVersion, status });
}

async function countRuns(): Promise<number> {
  const text = await readFile(runs, 'utf8').catch(() => '');
  return text.split('\n').length - 1;
}

async function refusal(credentials: ExecCredentials): Promise<ConfigError> {
  const error = await credentials.get().then(
    () => assert.fail('it was accepted'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ConfigError);
  assert.equal(error.code, 'CONFIG_EXEC_FAILED');
  return error;
}

describe('ExecCredentials', () => {
  it('runs the plugin once for many requests, and again only when it is time', async () => {
    const clock = new VirtualClock();
    const expirationTimestamp = new Date(clock.now() + 60_000).toISOString();
    const command = await plugin('good', credential({ token: 'abc', expirationTimestamp }));
    const before = await countRuns();
    const credentials = source(exec(command), { clock });
    const answers = await Promise.all(Array.from({ length: 20 }, () => credentials.get()));
    assert.ok(answers.every(({ authorization }) => authorization === 'Bearer abc'));
    assert.equal(await countRuns(), before + 1);
    await clock.advance(59_000);
    await credentials.get();
    assert.equal(await countRuns(), before + 1);
    await clock.advance(2_000);
    await credentials.get();
    assert.equal(await countRuns(), before + 2);
  });

  it('runs it again when the server refuses what it gave, but not for a late refusal', async () => {
    const credentials = source(exec(await plugin('again', credential({ token: 'abc' }))));
    const before = await countRuns();
    const first = await credentials.get();
    credentials.refused(first);
    const second = await credentials.get();
    assert.equal(await countRuns(), before + 2);
    credentials.refused(first);
    assert.equal(await credentials.get(), second);
    assert.equal(await countRuns(), before + 2);
  });

  it('tells the plugin about the cluster, gives arguments and environment, and resolves relative commands', async () => {
    await plugin('told', credential({ clientCertificateData: 'CERT', clientKeyData: 'KEY' }));
    const config = exec('./told', {
      provideClusterInfo: true,
      args: ['arg one'],
      env: [{ name: 'EXTRA', value: 'extra' }],
    });
    assert.deepEqual(await source(config).get(), { cert: 'CERT', key: 'KEY' });
    assert.deepEqual(JSON.parse(await readFile(`${runs}.info`, 'utf8')), {
      kind: 'ExecCredential',
      apiVersion: V1,
      spec: {
        interactive: false,
        cluster: {
          server: 'https://10.0.0.1',
          'certificate-authority-data': 'Q0E=',
          config: { audience: 'x' },
        },
      },
    });
    assert.equal(await readFile(`${runs}.args`, 'utf8'), 'extra:arg one');
  });

  it('refuses what is no credential, without quoting it', async () => {
    const cases: [string, RegExp][] = [
      ['s3cr3t', /did not print JSON/],
      ['{"token":"s3cr3t"}', /did not print an ExecCredential/],
      [credential({ token: 's3cr3t' }, 'client.authentication.k8s.io/v1beta1'), /another version/],
      [credential({}), /neither a token nor a client certificate/],
      [credential({ clientCertificateData: 's3cr3t' }), /but not both/],
      [credential({ token: 's3cr3t', expirationTimestamp: 'soon' }), /is no time/],
    ];
    for (const [output, expected] of cases) {
      const { message } = await refusal(source(exec(await plugin('bad', output))));
      assert.match(message, expected);
      assert.doesNotMatch(message, /s3cr3t/);
    }
    const failing = await refusal(source(exec(await plugin('failing', 'x', 3))));
    assert.match(failing.message, /ended with code 3/);
  });

  it('shows the install hint when the program is missing', async () => {
    const error = await refusal(source(exec('no-such-plugin', { installHint: 'Install it.\n' })));
    assert.equal(error.hint, 'Install it.');
  });

  it('does not start a plugin that needs a terminal where there is none', async () => {
    const config = exec(await plugin('tty', credential({ token: 'a' })), {
      interactiveMode: 'Always',
    });
    assert.match(
      (await refusal(source(config, { isTerminal: false }))).message,
      /needs a terminal/,
    );
  });

  it('lets one waiter give up without disturbing the others', async () => {
    const credentials = source(exec(await plugin('shared', credential({ token: 'abc' }))));
    const controller = new AbortController();
    const given = credentials.get(controller.signal);
    const kept = credentials.get();
    controller.abort(new Error('enough'));
    await assert.rejects(given, /enough/);
    assert.equal((await kept).authorization, 'Bearer abc');
  });
});
