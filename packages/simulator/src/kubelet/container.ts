import { duplexPair, type Duplex, PassThrough, Writable } from 'node:stream';

import { KubeletError, type ProcessStreams, type Terminal } from '@client-ts/apiserver';
import type { Container as ContainerSpec, Pod } from 'client-ts/api/core/v1';
import {
  abortable,
  anySignal,
  type Clock,
  messageOf,
  onAbort,
  type Random,
} from 'client-ts/internal';

import { ContainerFiles } from './container-files.ts';
import { ContainerLog } from './container-log.ts';
import { print, type Program, type ProgramContext } from './program.ts';
import { ForwardedTerminal } from './forwarded-terminal.ts';
import { LineDiscipline } from './line-discipline.ts';

/** What the containers of a kubelet share. */
export interface ContainerHost {
  readonly clock: Clock;
  readonly random: Random;
  readonly maxLogBytes: number;
  /** Returns the program of a command by its name. */
  program(name: string): Program | undefined;
  /** Called with errors that programs throw. */
  readonly onError: (error: unknown) => void;
}

/** The ports of a pod, shared by its containers. */
export type PodPorts = Map<number, (connection: Duplex) => void>;

type OwnStreams = Pick<ProgramContext, 'onInterrupt' | 'stderr' | 'stdin' | 'stdout' | 'terminal'>;

/** The part of a program's context that is its own. */
type OwnContext = OwnStreams & Pick<ProgramContext, 'args' | 'signal'>;

/** Exit codes of processes that were killed, or that do not exist. */
const KILLED = 137;
const INTERRUPTED = 130;
const NO_SUCH_PROGRAM = 127;

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** How the main process of a container has ended. */
export interface ContainerExit {
  readonly code: number;
  /** True if it did not end by itself. */
  readonly isKilled: boolean;
}

/** One instance of a container: its main process, log and files, from start to end. */
export class ContainerInstance {
  readonly log: ContainerLog;
  /** The exit code of the main process, once it has ended. */
  exitCode: number | undefined;
  /** Resolves when the main process has ended. */
  readonly ended: Promise<ContainerExit>;
  readonly #host: ContainerHost;
  readonly #pod: Pod;
  readonly #spec: ContainerSpec;
  readonly #ports: PodPorts;
  readonly #files = new ContainerFiles();
  readonly #stop = new AbortController();
  #killCode: number | undefined;
  readonly #input: PassThrough;
  readonly #terminal = new ForwardedTerminal();
  /** Clients that are attached to the main process. */
  readonly #attached = new Set<ProcessStreams>();

  constructor(host: ContainerHost, pod: Pod, spec: ContainerSpec, main: Program, ports: PodPorts) {
    this.#host = host;
    this.#pod = pod;
    this.#spec = spec;
    this.#ports = ports;
    this.log = new ContainerLog(host.clock, host.maxLogBytes);
    this.#input = new PassThrough();
    if (spec.stdin !== true) this.#input.end();
    this.ended = this.#runMain(main);
  }

  get isRunning(): boolean {
    return this.exitCode === undefined;
  }

  /** Kills all processes. The exit code is the given one, or that of a killed process. */
  kill(exitCode: number = KILLED): void {
    this.#killCode ??= exitCode;
    this.#stop.abort();
  }

  /** Runs a command in the container. Rejects if there is no such program. */
  async exec(args: readonly string[], streams: ProcessStreams): Promise<number> {
    const [name = ''] = args;
    const program = this.#host.program(baseName(name));
    if (program === undefined) throw noSuchProgram(name);
    using stop = anySignal([streams.signal, this.#stop.signal]);
    const { terminal } = streams;
    const stdin = streams.stdin ?? ended();
    const stdout = streams.stdout ?? discarded();
    const stderr = streams.stderr ?? (terminal === undefined ? discarded() : stdout);
    return await this.#runOnTerminal(terminal, { stdin, stdout, stderr }, (own) =>
      this.#run(program, { ...own, args, signal: stop.signal }),
    );
  }

  /** Connects streams to the main process, until it ends or the client is gone. */
  async attach(streams: ProcessStreams): Promise<number> {
    const { stdin, signal } = streams;
    const input = this.#input;
    this.#attached.add(streams);
    using _sizes = this.#terminal.follow(streams.terminal);
    const forward = (chunk: Buffer): void => {
      if (!input.write(chunk)) {
        stdin?.pause();
        input.once('drain', () => stdin?.resume());
      }
    };
    const close = (): void => void (this.#spec.stdinOnce === true && input.end());
    if (this.#spec.stdin === true) stdin?.on('data', forward).on('end', close);
    else stdin?.resume();
    try {
      return (await abortable(this.ended, signal)).code;
    } finally {
      this.#attached.delete(streams);
      stdin?.off('data', forward).off('end', close);
    }
  }

  /** Opens a connection to a port that a program of the pod listens on. */
  connect(port: number): Duplex {
    const accept = this.#ports.get(port);
    if (accept === undefined) throw connectionRefused(port);
    const [near, far] = duplexPair();
    for (const end of [near, far]) end.on('error', () => undefined);
    near.on('close', () => far.destroy());
    accept(far);
    return near;
  }

  async #runMain(main: Program): Promise<ContainerExit> {
    const { command = [], args = [] } = this.#spec;
    const output = (kind: 'stderr' | 'stdout'): Writable => {
      const lines = this.log.writer();
      return new Writable({
        write: (chunk: Buffer, _, done) => {
          lines.write(chunk);
          void this.#toAttached(kind, chunk, done);
        },
        final: (done) => {
          lines.end();
          done();
        },
      });
    };
    const stdout = output('stdout');
    const stderr = this.#spec.tty === true ? stdout : output('stderr');
    const terminal = this.#spec.tty === true ? this.#terminal : undefined;
    const streams = { stdin: this.#input, stdout, stderr };
    const code = await this.#runOnTerminal(terminal, streams, (own) =>
      this.#run(main, { ...own, args: [...command, ...args], signal: this.#stop.signal }),
    );
    for (const stream of [stdout, stderr]) if (!stream.writableEnded) stream.end();
    this.#input.destroy();
    this.exitCode = code;
    const isKilled = this.#stop.signal.aborted;
    this.#stop.abort();
    this.log.close();
    return { code, isKilled };
  }

  /** Puts a terminal between the streams and the process, if it has one. */
  async #runOnTerminal(
    terminal: Terminal | undefined,
    streams: Pick<ProgramContext, 'stderr' | 'stdin' | 'stdout'>,
    run: (own: OwnStreams) => Promise<number>,
  ): Promise<number> {
    if (terminal === undefined)
      return await run({ ...streams, terminal, onInterrupt: () => undefined });
    const tty = new LineDiscipline(streams.stdin, streams.stdout);
    const { input: stdin, output } = tty;
    const killed = new Promise<number>((resolve) => {
      tty.hangup.addEventListener('abort', () => resolve(INTERRUPTED), { once: true });
    });
    const onInterrupt: ProgramContext['onInterrupt'] = (listener) => tty.onInterrupt(listener);
    const own = { stdin, stdout: output, stderr: output, terminal, onInterrupt };
    const code = await Promise.race([run(own), killed]);
    await tty.flush();
    return code;
  }

  /** A slow client delays the process, as a real one does. */
  async #toAttached(kind: 'stderr' | 'stdout', chunk: Buffer, done: () => void): Promise<void> {
    for (const streams of this.#attached) {
      const target = kind === 'stderr' ? (streams.stderr ?? streams.stdout) : streams.stdout;
      if (target !== undefined && !streams.signal.aborted) {
        await abortable(print(target, chunk), streams.signal).catch(() => undefined);
      }
    }
    done();
  }

  /** Runs a program to its end. Never rejects. */
  async #run(program: Program, own: OwnContext): Promise<number> {
    const context = this.#context(own);
    try {
      context.signal.throwIfAborted();
      return (await abortable(Promise.resolve(program(context)), context.signal)) ?? 0;
    } catch (error) {
      if (context.signal.aborted) return this.#killCode ?? KILLED;
      this.#host.onError(error);
      context.stderr.write(`${baseName(context.args[0] ?? '')}: ${messageOf(error)}\n`);
      return 1;
    }
  }

  #context(own: OwnContext): ProgramContext {
    const { clock, random } = this.#host;
    const context: ProgramContext = {
      env: this.#environment(),
      files: this.#files,
      workingDirectory: this.#spec.workingDir ?? '/',
      hostname: this.#pod.metadata?.name ?? '',
      clock,
      random,
      ports: (this.#spec.ports ?? []).map(({ containerPort }) => containerPort),
      listen: (port, onConnection) => this.#listen(port, onConnection, context.signal),
      run: async (args, change = {}) => {
        const name = args[0] ?? '';
        const program = this.#host.program(baseName(name));
        const inherited = { ...context, ...change, args };
        if (program !== undefined) return await this.#run(program, inherited);
        await print(inherited.stderr, `sh: ${name}: not found\n`);
        return NO_SUCH_PROGRAM;
      },
      ...own,
    };
    return context;
  }

  #environment(): Record<string, string> {
    const { name = '' } = this.#pod.metadata ?? {};
    const own = (this.#spec.env ?? []).map(({ name: key, value = '' }) => [key, value] as const);
    return { PATH, HOSTNAME: name, HOME: '/root', ...Object.fromEntries(own) };
  }

  #listen(
    port: number,
    onConnection: (connection: Duplex) => void,
    signal: AbortSignal,
  ): Disposable {
    const ports = this.#ports;
    if (ports.has(port)) throw new Error(`listen on port ${port}: address already in use`);
    const open = new Set<Duplex>();
    const accept = (connection: Duplex): void => {
      open.add(connection);
      connection.once('close', () => open.delete(connection));
      onConnection(connection);
    };
    ports.set(port, accept);
    const close = (): void => {
      if (ports.get(port) === accept) ports.delete(port);
      for (const connection of open) connection.destroy();
    };
    const tie = onAbort(signal, close);
    return {
      [Symbol.dispose]: () => {
        tie[Symbol.dispose]();
        close();
      },
    };
  }
}

/** The message of a container runtime. */
function noSuchProgram(name: string): Error {
  return new Error(
    `OCI runtime exec failed: exec failed: unable to start container process: exec: ${JSON.stringify(name)}: executable file not found in $PATH`,
  );
}

/** The message of a node for a port that nothing listens on. */
export function connectionRefused(port: number): KubeletError {
  return new KubeletError(
    500,
    `failed to connect to localhost:${port} inside the pod: dial tcp4 127.0.0.1:${port}: connect: connection refused`,
  );
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function ended(): PassThrough {
  return new PassThrough().end();
}

function discarded(): Writable {
  return new Writable({ write: (_, __, done) => done() });
}
