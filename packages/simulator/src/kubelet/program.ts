import type { Duplex, Readable, Writable } from 'node:stream';

import type { Terminal } from '@client-ts/apiserver';
import type { Clock, Random } from 'client-ts/internal';

import type { ContainerFiles } from './container-files.ts';

/** What a program can use: its arguments and streams, and the container it runs in. */
export interface ProgramContext {
  /** The command line; the first entry is the name of the program. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Ends immediately if the process has no input. */
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** The same as `stdout` with a terminal. */
  readonly stderr: Writable;
  /** Set if the process has a terminal. */
  readonly terminal: Terminal | undefined;
  /** Handles Ctrl-C, which otherwise kills a process with a terminal. */
  readonly onInterrupt: (listener: (() => void) | undefined) => void;
  /** Aborts when the process is killed: the client is gone, or the container stops. */
  readonly signal: AbortSignal;
  /** The files of the container. They are lost when the container restarts. */
  readonly files: ContainerFiles;
  readonly workingDirectory: string;
  readonly hostname: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Ports that the pod spec declares for the container. */
  readonly ports: readonly number[];
  /** Accepts connections to a port of the pod, until disposed. Throws if the port is taken. */
  readonly listen: (port: number, onConnection: (connection: Duplex) => void) => Disposable;
  /** Runs another program of the container. Resolves to its exit code; 127 if there is none. */
  readonly run: (args: readonly string[], change?: Partial<ProgramContext>) => Promise<number>;
}

/** A scripted program. It returns its exit code; undefined is 0. A thrown error is code 1. */
export type Program = (context: ProgramContext) => Promise<number | undefined> | number | undefined;

/** Writes text, and waits until the stream has room for more. */
export async function print(stream: Writable, text: Uint8Array | string): Promise<void> {
  if (stream.destroyed || stream.write(text)) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
  });
}
