import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The flags of an operator. */
export interface OperatorProcessOptions {
  readonly kubeconfig: string;
  readonly namespace: string;
  readonly identity: string;
  readonly leaseSeconds: number;
  readonly shards?: number | undefined;
  readonly stamp?: boolean | undefined;
  readonly stepMs?: number | undefined;
  readonly sabotage?: string | undefined;
  readonly onLine?: (line: string) => void;
}

/** The exit of a process. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const main = fileURLToPath(new URL('main.ts', import.meta.url));

/** An operator in its own process. Disposing kills it and waits for its exit. */
export class OperatorProcess implements AsyncDisposable {
  readonly identity: string;
  /** Its output on stderr. */
  readonly errors: string[] = [];
  readonly ended: Promise<ProcessEnd>;
  readonly #child: ChildProcess;

  constructor(options: OperatorProcessOptions) {
    const { kubeconfig, namespace, identity, leaseSeconds: lease, onLine } = options;
    const { shards, stepMs: step, sabotage } = options;
    this.identity = identity;
    const flags = { kubeconfig, namespace, identity, lease, shards, step, sabotage };
    const args = Object.entries(flags).flatMap(([name, value]) =>
      value === undefined ? [] : [`--${name}`, String(value)],
    );
    // The CRD is there: a process that cannot connect yet waits in its informers.
    if (options.stamp === true) args.push('--stamp', '--cluster');
    const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    createInterface(child.stdout).on('line', (line) => onLine?.(line));
    createInterface(child.stderr).on('line', (line) => this.errors.push(line));
    this.ended = once(child, 'close').then(([code, signal]): ProcessEnd => ({ code, signal }));
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Sends a signal; does nothing after the exit. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.signal('SIGKILL');
    await this.ended;
  }
}
