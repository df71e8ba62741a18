import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { VirtualClock } from '../testing/index.ts';
import { ConfigError } from './config-error.ts';
import { ExecCredentials, type ExecCredentialsOptions } from './exec-credentials.ts';
import type { Cluster, ExecConfig } from './kubeconfig.ts';

const V1 = 'client.authentication.k8s.io/v1';
let folder = '';
let runs = '';

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-ts-'));
  runs = join(folder, 'runs');
});
after(() => rm(folder, { recursive: true, force: true }));

/** A plugin that records its runs and its input, and prints `output`. */
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
  origin: '',
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

function source(config: ExecConfig, more: Partial<ExecCredentialsOptions> = {}): ExecCredentials {
  return new ExecCredentials({
    exec: config,
    origin: join(folder, 'config'),
    cluster,
    ...more,
  });
}

function credential(status: object, apiVersion = V1): string {
  return JSON.stringify({ kind: 'ExecCredential', apiVersion, status });
}

/** A plugin that never ends, and a way to wait until it runs. */
async function hanging(name: string): Promise<{ command: string; started: () => Promise<number> }> {
  const command = join(folder, name);
  const note = `${command}.pid`;
  // The shell becomes the sleeper, so that there is one process.
  const lines = [`echo $$ > ${note}.new`, `mv ${note}.new ${note}`, 'exec sleep 1000'];
  await writeFile(command, `#!/bin/sh\n${lines.join('\n')}\n`);
  await chmod(command, 0o755);
  const started = async (): Promise<number> => {
    for (;;) {
      const text = await readFile(note, 'utf8').catch(() => undefined);
      if (text !== undefined) return Number(text);
    }
  };
  return { command, started };
}

/** Waits until a process is gone; one that is not killed keeps the test waiting. */
async function ended(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise(setImmediate);
  }
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

  it('passes cluster, arguments and environment to the plugin, and resolves relative commands', async () => {
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

  it('refuses output that is not a credential, without quoting it', async () => {
    const cases: [string, RegExp][] = [
      ['s3cr3t', /did not print JSON/],
      ['{"token":"s3cr3t"}', /did not print an ExecCredential/],
      [credential({ token: 's3cr3t' }, 'client.authentication.k8s.io/v1beta1'), /another version/],
      [credential({}), /neither a token nor a client certificate/],
      [credential({ clientCertificateData: 's3cr3t' }), /but not both/],
      [credential({ token: 's3cr3t', expirationTimestamp: 'soon' }), /is not a time/],
    ];
    for (const [output, expected] of cases) {
      const { message } = await refusal(source(exec(await plugin('bad', output))));
      assert.match(message, expected);
      assert.doesNotMatch(message, /s3cr3t/);
    }
    const failing = await refusal(source(exec(await plugin('failing', 'x', 3))));
    assert.match(failing.message, /exited with code 3/);
  });

  it('passes the content of a CA file and the compression setting to the plugin', async () => {
    await plugin('informed', credential({ token: 'abc' }));
    await writeFile(join(folder, 'ca.pem'), 'CA');
    const value: Cluster = {
      ...cluster,
      certificateAuthority: 'ca.pem',
      certificateAuthorityData: '',
      disableCompression: true,
      extensions: [],
    };
    const more = { cluster: { ...value, origin: join(folder, 'config') } };
    await source(exec('./informed', { provideClusterInfo: true }), more).get();
    const { spec } = JSON.parse(await readFile(`${runs}.info`, 'utf8')) as { spec: object };
    assert.deepEqual(spec, {
      interactive: false,
      cluster: {
        server: 'https://10.0.0.1',
        'certificate-authority-data': 'Q0E=',
        'disable-compression': true,
      },
    });
  });

  it('shows the install hint when the program is missing', async () => {
    for (const command of ['no-such-plugin', './no-such-plugin']) {
      const error = await refusal(source(exec(command, { installHint: 'Install it.\n' })));
      assert.equal(error.hint, 'Install it.');
    }
  });

  it('keeps arguments and environment out of errors', async () => {
    const secrets = { args: ['s3cr3t'], env: [{ name: 'PASS', value: 's3cr3t' }] };
    const error = await refusal(source(exec('./no-such-plugin', secrets)));
    assert.doesNotMatch(inspect(error, { depth: 10 }), /s3cr3t/);
    assert.equal((error.cause as NodeJS.ErrnoException).code, 'ENOENT');
    for (const config of [
      exec('/bin/true\0'),
      exec('/bin/true', { args: ['s3cr3t\0'] }),
      exec('/bin/true', { env: [{ name: 'A', value: 's3cr3t\0' }] }),
    ]) {
      const error = await refusal(source(config));
      assert.match(error.message, /contains a NUL character/);
      assert.doesNotMatch(inspect(error, { depth: 10 }), /s3cr3t/);
    }
  });

  it('refuses a program that a relative or empty entry of the PATH finds, as Go does', async (t) => {
    const here = process.cwd();
    t.after(() => process.chdir(here));
    process.chdir(folder);
    await plugin('planted', credential({ token: 'abc' }));
    for (const PATH of ['.', '/nowhere:', ':/nowhere', `.:${folder}`]) {
      const error = await refusal(source(exec('planted'), { env: { PATH } }));
      assert.match(error.message, /was found in the working directory/, PATH);
    }
    const env = { PATH: `${folder}:/usr/bin:/bin` };
    assert.equal((await source(exec('planted'), { env }).get()).authorization, 'Bearer abc');
    assert.match(
      (await refusal(source(exec('planted'), { env: { PATH: '' } }))).message,
      /was not found in the PATH/,
    );
  });

  it('kills a plugin that takes too long', async () => {
    const clock = new VirtualClock();
    const { command, started } = await hanging('slow');
    const failed = refusal(source(exec(command), { clock, timeoutMs: 1_000 }));
    const pid = await started();
    await clock.advance(1_000);
    assert.match((await failed).message, /did not exit within 1 s and was killed/);
    await ended(pid);
  });

  it('kills a plugin that no caller waits for any more', async () => {
    const { command, started } = await hanging('abandoned');
    const credentials = source(exec(command));
    const [first, second] = [new AbortController(), new AbortController()];
    const given = [
      credentials.get({ signal: first.signal }),
      credentials.get({ signal: second.signal }),
    ];
    const pid = await started();
    first.abort(new Error('enough'));
    second.abort(new Error('enough'));
    for (const each of given) await assert.rejects(each, /enough/);
    await ended(pid);
  });

  it('stops output without end, also that of a child of the plugin', async () => {
    const file = join(folder, 'endless');
    await writeFile(file, `#!/bin/sh\nyes 2> /dev/null &\necho $! > ${file}.pid\nwait\n`);
    await chmod(file, 0o755);
    assert.match((await refusal(source(exec(file)))).message, /printed too much/);
    await ended(Number(await readFile(`${file}.pid`, 'utf8')));
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

  it('continues for the other callers when one aborts', async () => {
    const credentials = source(exec(await plugin('shared', credential({ token: 'abc' }))));
    const controller = new AbortController();
    const given = credentials.get({ signal: controller.signal });
    const kept = credentials.get();
    controller.abort(new Error('enough'));
    await assert.rejects(given, /enough/);
    assert.equal((await kept).authorization, 'Bearer abc');
  });
});
