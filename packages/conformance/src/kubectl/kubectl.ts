import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

import { type Clock, systemClock } from 'client-ts/internal';

import { inPath } from './find-kubectl.ts';

/** The result of a command. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  /** Written to the command's standard input; objects as JSON. */
  readonly input?: object | string;
  readonly env?: Readonly<Record<string, string>>;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** No command of the scenario takes longer on any machine. */
const TIMEOUT_MS = 40_000;

/** A real kubectl with its own home directory, for one server. */
export class Kubectl implements AsyncDisposable {
  /** The minor version of the client: 36 for v1.36.4. */
  readonly minor: number;
  readonly #binary: string;
  readonly #home: string;
  readonly #clock: Clock;
  /** The namespace of every command. */
  readonly namespace: string;

  private constructor(parts: { binary: string; home: string; minor: number; namespace: string }) {
    this.#binary = parts.binary;
    this.#home = parts.home;
    this.minor = parts.minor;
    this.namespace = parts.namespace;
    this.#clock = systemClock;
  }

  /** Creates a home directory with the kubeconfig and reads the client version. */
  static async prepare(options: {
    binary: string;
    kubeconfig: string;
    namespace: string;
  }): Promise<Kubectl> {
    const home = await mkdtemp(join(tmpdir(), 'kubectl-'));
    await writeFile(join(home, 'config'), options.kubeconfig, { mode: 0o600 });
    const kubectl = new Kubectl({ ...options, home, minor: 0 });
    const { clientVersion } = JSON.parse(await kubectl.ok('version', '--client', '-o', 'json')) as {
      clientVersion: { minor: string };
    };
    return new Kubectl({ ...options, home, minor: Number.parseInt(clientVersion.minor, 10) });
  }

  /** The path of its kubeconfig. */
  get kubeconfig(): string {
    return join(this.#home, 'config');
  }

  /** Its discovery cache. */
  get cacheDirectory(): string {
    return join(this.#home, '.kube', 'cache');
  }

  /** Runs a command that must succeed; returns its output. */
  async ok(...args: string[]): Promise<string> {
    return this.okWith({}, ...args);
  }

  /** The same with input or environment variables. */
  async okWith(options: CommandOptions, ...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(options, ...args);
    assert.equal(code, 0, `kubectl ${args.join(' ')} ended with ${code}: ${stderr}${stdout}`);
    return stdout;
  }

  /** Runs a command that must fail; returns its error output. */
  async fails(options: CommandOptions, ...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(options, ...args);
    assert.notEqual(code, 0, `kubectl ${args.join(' ')} did not fail: ${stdout}`);
    return stderr + stdout;
  }

  /** Runs a command to its end. */
  async run({ input, env }: CommandOptions, ...args: string[]): Promise<CommandResult> {
    const child = this.#spawn(args, env);
    child.stdin.end(typeof input === 'object' ? JSON.stringify(input) : (input ?? ''));
    return finished(child, this.#clock, args);
  }

  /**
   * Starts a command that keeps running, such as `get -w`. `until` resolves when its output
   * matches; disposing it stops the command.
   */
  start(...args: string[]): RunningCommand {
    return this.startWith({}, ...args);
  }

  /** The same with environment variables. */
  startWith(env: Readonly<Record<string, string>>, ...args: string[]): RunningCommand {
    const child = this.#spawn(args, env);
    child.stdin.end();
    return new RunningCommand(child, args, this.#clock);
  }

  /** The same, with an input that stays open for {@link RunningCommand.type}. */
  interact(...args: string[]): RunningCommand {
    return new RunningCommand(this.#spawn(args, {}), args, this.#clock);
  }

  /**
   * Starts a command on a terminal of its own, with util-linux's `script`; undefined if there is
   * none on this machine.
   */
  async onTerminal(...args: string[]): Promise<RunningCommand | undefined> {
    const script = await inPath('script', process.env);
    if (script === undefined) return undefined;
    const all = [this.#binary, ...this.#arguments(args)].map((word) => `'${word}'`).join(' ');
    const child = spawn(script, ['-qec', all, '/dev/null'], {
      env: this.#environment({}),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    return new RunningCommand(child, args, this.#clock);
  }

  #arguments(args: readonly string[]): string[] {
    return [`--kubeconfig=${this.kubeconfig}`, `--namespace=${this.namespace}`, ...args];
  }

  /** Nothing of the caller's configuration: no proxies, no other clusters, no caches. */
  #environment(env: Readonly<Record<string, string>>): Record<string, string> {
    return { PATH: process.env['PATH'] ?? '', HOME: this.#home, ...env };
  }

  #spawn(args: readonly string[], env: Readonly<Record<string, string>> = {}): Child {
    return spawn(this.#binary, this.#arguments(args), {
      env: this.#environment(env),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#home, { recursive: true, force: true });
  }
}

/** A command that has not ended yet. */
export class RunningCommand implements AsyncDisposable {
  readonly #child: Child;
  readonly #args: readonly string[];
  readonly #clock: Clock;
  #output = '';
  #changed: () => void = () => undefined;

  constructor(child: Child, args: readonly string[], clock: Clock) {
    this.#child = child;
    this.#args = args;
    this.#clock = clock;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        this.#output += chunk.toString();
        this.#changed();
      });
    }
    child.on('close', () => this.#changed());
  }

  /** Writes to the input of the command. */
  type(text: string): void {
    this.#child.stdin.write(text);
  }

  /** Resolves when the output matches; fails if the command ends or is silent for too long. */
  async until(pattern: RegExp): Promise<string> {
    const problem = (): string =>
      `kubectl ${this.#args.join(' ')}: no ${String(pattern)} in ${this.#output}`;
    await new Promise<void>((resolve, reject) => {
      const timer = this.#clock.schedule(TIMEOUT_MS, () => reject(new Error(problem())));
      this.#changed = () => {
        const matched = pattern.test(this.#output);
        if (!matched && this.#child.exitCode === null) return;
        timer.cancel();
        if (matched) resolve();
        else reject(new Error(problem()));
      };
      this.#changed();
    });
    return this.#output;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = new Promise((resolve) => this.#child.once('close', resolve));
    this.#child.kill();
    await gone;
  }
}

function finished(child: Child, clock: Clock, args: readonly string[]): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    // A command that does not read its input closes the pipe; its exit code is enough.
    child.stdin.on('error', () => undefined);
    const timer = clock.schedule(TIMEOUT_MS, () => {
      child.kill();
      reject(new Error(`kubectl ${args.join(' ')} took too long: ${stdout}${stderr}`));
    });
    child.on('error', reject);
    child.on('close', (code) => {
      timer.cancel();
      resolve({ code: code ?? 1, stdout, stderr });
    });
  });
}

/** One use of kubectl; it throws if the server does not behave as expected. */
export interface Step {
  readonly name: string;
  /** The first minor version of kubectl that supports it. */
  readonly since?: number;
  /** True if it needs nodes; skipped on a server that the caller names. */
  readonly needsKubelet?: boolean;
  readonly run: (kubectl: Kubectl) => Promise<void>;
}
