import assert from 'node:assert/strict';
import { type ChildProcess, type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Clientset } from 'client-ts/kubernetes';
import { type Clock, systemClock } from 'client-ts/internal';

import { testContext, type TestContext as TestOutputContext } from '../frame/test-context.ts';
import { run } from '../run.ts';
import { testCli } from '../test-cli.ts';
import { TestTerminal } from './test-terminal.ts';

const main = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../main.ts' : '../main.js', import.meta.url),
);

function directory(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'client-ts-demo-'));
  t.after(() => rmSync(path, { recursive: true }));
  return path;
}

const withoutSqlite =
  process.getBuiltinModule('node:sqlite' as string) === undefined && 'needs node:sqlite';

/** A clock that runs faster. */
const haste = 10;
const hurried: Clock = {
  now: () => systemClock.now(),
  monotonic: () => systemClock.monotonic() * haste,
  schedule: (delayMs, callback, options) =>
    systemClock.schedule(delayMs / haste, callback, options),
};

/** Stops the command when it prints a matching line. */
function stopAt(context: TestOutputContext, stop: AbortController, line: RegExp): void {
  const out = context.out.bind(context);
  context.out = (text) => {
    out(text);
    if (line.test(text)) stop.abort();
  };
}

async function serverVersion(workingDirectory: string): Promise<string> {
  const context = testContext({ workingDirectory });
  const kubeconfig = join(workingDirectory, '.kube/client-ts.kubeconfig');
  assert.equal(await run(['version', '--kubeconfig', kubeconfig], context), 0);
  return context.text();
}

describe('client-ts demo', () => {
  it('prints lines without a terminal, and what is left at the end', async (t) => {
    const workingDirectory = directory(t);
    // Left by an earlier simulation; it could not be opened.
    mkdirSync(join(workingDirectory, '.client-ts'));
    writeFileSync(join(workingDirectory, '.client-ts/events.db'), 'from another cluster');
    const stop = new AbortController();
    const context = testContext({ workingDirectory, signal: stop.signal, clock: hurried });
    stopAt(context, stop, / pods: [1-9]\d* running, .* \| node-1=\d+ node-2=\d+ .* \| events: \d+/);
    assert.equal(
      await run(['demo', '--rate', '2', '--seed', '2', '--deployments', '2'], context),
      0,
    );
    const text = context.text();
    assert.match(text, /^client-ts: simulated cluster at https:\S+, rate 2, seed 2\n/);
    assert.match(text, /kubectl --kubeconfig \S+client-ts\.kubeconfig get pods/);
    assert.match(text, /^Collected [1-9]\d* events in \S+events\.(?:db|ndjson)\.$/m);
    assert.doesNotMatch(text, /\u001B/);
    const [, place = ''] = /Collected \d+ events in (\S+)\.$/m.exec(text) ?? [];
    assert.ok(existsSync(place), place);
    assert.match(
      readFileSync(join(workingDirectory, '.kube/client-ts.kubeconfig'), 'utf8'),
      /token/,
    );
  });

  it('starts a server of the release that --kubernetes-version names', async (t) => {
    const workingDirectory = directory(t);
    const stop = new AbortController();
    const context = testContext({ workingDirectory, signal: stop.signal, clock: hurried });
    const out = context.out.bind(context);
    let version: Promise<string> | undefined;
    context.out = (text) => {
      out(text);
      version ??= serverVersion(workingDirectory).finally(() => stop.abort());
    };
    assert.equal(await run(['demo', '--kubernetes-version', '1.34'], context), 0);
    assert.match((await version) ?? '', /Server Version: v1\.34\./);
    const refused = testContext({ workingDirectory });
    const call = ['demo', '--kubernetes-version', '1.34', '--server', 'https://127.0.0.1:1'];
    assert.equal(await run(call, refused), 2);
    assert.match(refused.errorText(), /--kubernetes-version is for the embedded server/);
  });

  it(
    'continues with the cluster and the events of the last time with --keep',
    { skip: withoutSqlite },
    async (t) => {
      const workingDirectory = directory(t);
      const show = async (): Promise<string[]> => {
        const stop = new AbortController();
        const context = testContext({ workingDirectory, signal: stop.signal, clock: hurried });
        stopAt(context, stop, / pods: [1-9]\d* running/);
        assert.equal(
          await run(['demo', '--keep', '--rate', '2', '--deployments', '2'], context),
          0,
        );
        const kubeconfig = readFileSync(
          join(workingDirectory, '.kube/client-ts.kubeconfig'),
          'utf8',
        );
        const { ino } = statSync(join(workingDirectory, '.client-ts/events.db'));
        return [kubeconfig.replace(/server: .*/, ''), String(ino)];
      };
      const first = await show();
      assert.ok(existsSync(join(workingDirectory, '.client-ts/cluster/cluster.db')));
      assert.deepEqual(await show(), first);
      const refused = testContext({ workingDirectory });
      assert.equal(await run(['demo', '--keep', '--server', 'https://127.0.0.1:1'], refused), 2);
      assert.match(refused.errorText(), /--keep is for the embedded server/);
    },
  );

  it('reads a named cluster without writing to it', async (t) => {
    const cli = await testCli(t);
    await cli.create('/api/v1/nodes', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'real' },
    });
    await using client = new Clientset(cli.server.config);
    const before = await client.coreV1.namespaces().list();
    const stop = new AbortController();
    const context = cli.context({ clock: hurried, signal: stop.signal });
    stopAt(context, stop, / pods: 0 running, .* \| real=0 \| events: 0/);
    const args = ['--kubeconfig', cli.kubeconfig];
    assert.equal(await run(['demo', ...args], context), 0, context.errorText());
    const out = context.text();
    assert.match(out, /^client-ts: watching https:/);
    const file = `${new URL(cli.server.url).host.replace(':', '-')}.`;
    assert.ok(out.includes(join(cli.directory, '.client-ts', file)), out);
    const after = await client.coreV1.namespaces().list();
    assert.equal(after.metadata.resourceVersion, before.metadata.resourceVersion);
    assert.ok(!existsSync(join(cli.directory, '.kube')));
  });

  it('simulates on a named cluster only with --yes and without real nodes', async (t) => {
    const cli = await testCli(t);
    const named = ['demo', '--kubeconfig', cli.kubeconfig, '--simulate'];
    const unsaid = await cli.run(...named);
    assert.equal(unsaid.code, 2);
    assert.match(unsaid.err, /confirm with --yes/);
    await cli.create('/api/v1/nodes', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'real' },
    });
    const real = await cli.run(...named, '--yes');
    assert.equal(real.code, 1);
    assert.match(real.err, /has nodes of its own \(real\)/);
  });

  it('ends after --for', async (t) => {
    const context = testContext({ workingDirectory: directory(t), clock: hurried });
    assert.equal(
      await run(['demo', '--for', '1s', '--nodes', '1', '--deployments', '1'], context),
      0,
    );
    assert.match(context.text(), /^Collected \d+ events in /m);
  });

  it('reports a server that is down', async (t) => {
    const workingDirectory = directory(t);
    const context = testContext({ workingDirectory });
    assert.equal(await run(['demo', '--server', 'http://127.0.0.1:1'], context), 1);
    assert.match(context.errorText(), /^client-ts demo: .*127\.0\.0\.1:1/);
  });
});

describe('two demos in one directory', () => {
  /** Starts `client-ts demo`; resolves when it has started or exited. */
  async function startDemo(t: TestContext, cwd: string): Promise<ChildProcess> {
    const child = spawn(process.execPath, [main, 'demo', '--plain', '--rate', '10'], {
      cwd,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => child.kill('SIGKILL'));
    // Read to the end: a command stops when its output has no reader.
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk) => {
        if (String(chunk).includes('Try, in')) resolve();
      });
      child.on('exit', () => resolve());
    });
    return child;
  }

  it('refuses a second one, and the first keeps its database and kubeconfig', async (t) => {
    const cwd = directory(t);
    const files = ['.client-ts/events.db', '.kube/client-ts.kubeconfig'].map((file) =>
      join(cwd, file),
    );
    const inodes = (): number[] =>
      files.filter((file) => existsSync(file)).map((file) => statSync(file).ino);
    const first = await startDemo(t, cwd);
    const before = inodes();
    const second = spawnSync(process.execPath, [main, 'demo', '--plain', '--for', '1s'], {
      cwd,
      encoding: 'utf8',
    });
    assert.equal(second.status, 1);
    assert.match(
      second.stderr,
      new RegExp(`another client-ts server runs in this directory: .* process ${first.pid} on`),
    );
    assert.deepEqual(inodes(), before);
    assert.equal(first.exitCode, null);
    // A killed process does not keep the directory.
    const ended = once(first, 'exit');
    first.kill('SIGKILL');
    await ended;
    const third = await startDemo(t, cwd);
    assert.equal(third.exitCode, null);
    const stopped = once(third, 'exit');
    third.kill('SIGTERM');
    await stopped;
  });
});

/** A program in a pseudo-terminal of util-linux `script`. */
class Terminal {
  readonly screen = new TestTerminal(100, 32);
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  #onChange: () => void = () => undefined;

  constructor(command: string, cwd: string, env: Record<string, string>) {
    const line = `stty -echo cols 100 rows 32; exec ${command}`;
    this.#child = spawn('script', ['-qfec', line, '/dev/null'], {
      cwd,
      env: { ...process.env, TERM: 'xterm-256color', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#child.stdout.setEncoding('utf8');
    this.#child.stdout.on('data', (text: string) => {
      this.screen.write(text);
      this.#onChange();
    });
    this.#child.on('exit', () => this.#onChange());
  }

  /** Resolves when the screen matches. Rejects if it does not for a thousand changes: some minutes. */
  async until(isSo: (screen: TestTerminal) => boolean): Promise<void> {
    for (let changes = 0; !isSo(this.screen); changes += 1) {
      assert.ok(changes < 1000, `it shows ${this.screen.text}`);
      assert.equal(this.#child.exitCode, null, `it has ended: ${this.screen.ordinary}`);
      await new Promise<void>((resolve) => (this.#onChange = resolve));
    }
  }

  press(keys: string): void {
    this.#child.stdin.write(keys);
  }

  async ended(): Promise<number> {
    const [code] = (await once(this.#child, 'close')) as [number];
    return code;
  }
}

const { stdout: scriptVersion } = spawnSync('script', ['--version'], { encoding: 'utf8' });
/** Undefined without the program. */
const hasPseudoTerminals = (scriptVersion as string | undefined)?.includes('util-linux') ?? false;
const skip = hasPseudoTerminals ? false : 'needs script of util-linux';

describe('client-ts demo in a terminal', { skip }, () => {
  const command = `'${process.execPath}' '${main}' demo --rate 10 --seed 2`;

  it('shows a live screen, and Ctrl-C restores the terminal', async (t) => {
    const cwd = directory(t);
    const terminal = new Terminal(command, cwd, { NO_COLOR: '' });
    const ended = terminal.ended();
    const parts = [
      /^client-ts {2}simulated cluster at https:\S+, rate 10, seed 2 +00:00:/,
      /^ {2}node-5 +\d+ {2}█/m,
      /^Latest warnings\n +\d+s {2}\w+/m,
      /^Events {2}\d+ seen · [\d.]+\/s {2}[▁▂▃▄▅▆▇█]+$/m,
      /^Informers {2}pods live \d+ {2}nodes live 5 {2}events live \d+$/m,
      /^Queues +simulation \d+ {2}collector \d+$/m,
      /^Collected {2}\d+ events in \.client-ts\/events\.(?:db|ndjson)$/m,
    ];
    // A screen may arrive in several pieces.
    await terminal.until(({ text }) => parts.every((part) => part.test(text)));
    const { screen } = terminal;
    assert.ok(screen.isAlternate);
    assert.ok(screen.hadColors);
    terminal.press('\u0003');
    assert.equal(await ended, 0);
    assert.equal(screen.isAlternate, false);
    assert.ok(screen.isCursorVisible);
    assert.match(screen.ordinary, /Collected [1-9]\d* events in \S+events\./);
  });

  it('has no colours with NO_COLOR', async (t) => {
    const terminal = new Terminal(command, directory(t), { NO_COLOR: '1' });
    const ended = terminal.ended();
    await terminal.until(({ text }) => /^ {2}node-5 +\d+ {2}█/m.test(text));
    terminal.press('\u0003');
    assert.equal(await ended, 0);
    assert.equal(terminal.screen.hadColors, false);
  });
});
