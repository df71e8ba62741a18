/** The command as a process: exit codes, pipes, signals and terminals. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Deferred } from 'client-ts/internal';

import { pod, type TestCli, testCli } from './test-cli.ts';

/** `src` or `dist`, wherever the tests run. */
const main = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? 'main.ts' : 'main.js', import.meta.url),
);

const pods = '/api/v1/namespaces/default/pods';

function environment(cli: TestCli, more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: cli.directory,
    KUBECONFIG: cli.kubeconfig,
    KUBECACHEDIR: join(cli.directory, 'cache'),
    TERM: 'xterm',
    ...more,
  };
}

function start(cli: TestCli, ...args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [main, ...args], { env: environment(cli), cwd: cli.directory });
}

async function finish(child: ChildProcess): Promise<{ code: unknown; out: string; err: string }> {
  const chunks = { out: '', err: '' };
  child.stdout?.on('data', (chunk: Buffer) => (chunks.out += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (chunks.err += chunk.toString()));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { code: code ?? signal, ...chunks };
}

/** Resolves when the output matches, without consuming it. */
async function printed(child: ChildProcess, pattern: RegExp): Promise<void> {
  let seen = '';
  const ready = new Deferred();
  child.stdout?.on('data', (chunk: Buffer) => {
    seen += chunk.toString();
    if (pattern.test(seen)) ready.resolve();
  });
  child.on('close', () => ready.reject(new Error(`it ended after: ${seen}`)));
  await ready.promise;
}

test('exits with the documented codes', async (t) => {
  const cli = await testCli(t);
  await cli.create(pods, pod('web-0'));
  const cases: [args: string[], code: number, out: RegExp, err: RegExp][] = [
    [['get', 'pods'], 0, /^NAME .*\nweb-0 .*\n$/, /^$/],
    [['--help'], 0, /^Usage: client-ts <command>/, /^$/],
    [['get', 'pods', 'nope'], 1, /^$/, /^client-ts get: pods "nope" not found\n$/],
    [['get', 'pods', '--nope'], 2, /^$/, /^client-ts get: unknown flag --nope\nSee: /],
    [[], 2, /^$/, /^Usage: client-ts <command>/],
  ];
  for (const [args, code, out, err] of cases) {
    const outcome = await finish(start(cli, ...args));
    assert.match(outcome.out, out, args.join(' '));
    assert.match(outcome.err, err, args.join(' '));
    assert.equal(outcome.code, code, args.join(' '));
  }
});

test('--version needs no kubeconfig', async (t) => {
  const cli = await testCli(t);
  const env = environment(cli, { KUBECONFIG: join(cli.directory, 'missing') });
  for (const flag of ['--version', '-v']) {
    const outcome = await finish(spawn(process.execPath, [main, flag], { env }));
    assert.deepEqual(
      [outcome.code, outcome.out.replace(/\d+\.\d+\.\d+/, 'X'), outcome.err],
      [0, 'client-ts X\n', ''],
    );
  }
});

test('a closed pipe is not an error', async (t) => {
  const cli = await testCli(t);
  const data = { text: 'x'.repeat(10_000) };
  for (let index = 0; index < 60; index += 1) {
    const metadata = { name: `large-${index}` };
    await cli.create('/api/v1/namespaces/default/configmaps', { metadata, data });
  }
  for (const format of ['json', 'yaml']) {
    const line = `"$0" "$1" get configmaps -o ${format} | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const child = spawn('bash', ['--norc', '-c', line, process.execPath, main], {
      env: environment(cli),
    });
    const { out, err } = await finish(child);
    assert.match(out, /^(?:\{|apiVersion: v1)\n0\n$/);
    // On a busy machine it says that it is at work.
    assert.match(err, /^(?:Reading configmaps…\n)*$/);
  }
});

test('Ctrl-C stops it gracefully, and the process exits', async (t) => {
  const cli = await testCli(t);
  await cli.create(pods, pod('web-0', { nodeName: 'node-1' }));
  const cases: [args: string[], ready: RegExp, signal: NodeJS.Signals, code: number][] = [
    [['watch', 'pods'], /web-0/, 'SIGINT', 130],
    [['get', 'pods', '-w', '-o', 'json'], /web-0/, 'SIGTERM', 143],
    [['pods-per-node'], /1 pod on 1 node/, 'SIGINT', 130],
    [['serve', '--kubeconfig-out', 'served'], /Ctrl-C stops it/, 'SIGINT', 0],
  ];
  for (const [args, ready, signal, code] of cases) {
    const child = start(cli, ...args);
    const outcome = finish(child);
    await printed(child, ready);
    child.kill(signal);
    const { code: found, err } = await outcome;
    assert.equal(err, '', args.join(' '));
    assert.equal(found, code, args.join(' '));
  }
});

// Other systems have a `script` with other flags.
const hasScript =
  process.platform === 'linux' && spawnSync('sh', ['-c', 'script --version']).status === 0;
const skip = hasScript ? false : 'needs script of util-linux';

test('uses colours only on terminals, and not with NO_COLOR', { skip }, async (t) => {
  const cli = await testCli(t);
  await cli.create(pods, pod('web-0', { nodeName: 'node-1' }));
  const onTerminal = async (
    env: Readonly<Record<string, string>>,
    line: string,
  ): Promise<string> => {
    const command = `"${process.execPath}" "${main}" ${line}`;
    const child = spawn('sh', ['-c', 'exec script -qec "$0" /dev/null', command], {
      env: environment(cli, { SHELL: '/bin/sh', ...env }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { out } = await finish(child);
    return out;
  };
  assert.match(await onTerminal({}, 'get pods'), /^\u001B\[1mNAME .*AGE\u001B\[22m\r\nweb-0/);
  assert.match(await onTerminal({}, 'get nope'), /\u001B\[31mclient-ts get:\u001B\[39m the server/);
  assert.match(await onTerminal({}, 'pods-per-node --watch=false'), /\u001B\[36m█/);
  for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) {
    assert.match(await onTerminal(env, 'get pods'), /^NAME .*AGE\r\nweb-0/);
  }
  const { out } = await finish(start(cli, 'get', 'pods'));
  assert.doesNotMatch(out, /\u001B/);
});
