import { attach, exec, type ExecSession } from 'client-ts/streams';
import { CommandExit } from '../frame/command-exit.ts';
import type { ConnectionValues } from '../frame/connection-flags.ts';
import type { CommandContext, Output } from '../frame/context.ts';
import { openSession } from '../resources/session.ts';
import { chooseContainer } from './pod-argument.ts';

/** Options of `client-ts exec` and `client-ts attach`. */
export interface ExecOptions {
  readonly connection: ConnectionValues;
  readonly namespace: string | undefined;
  readonly target: string;
  /** Undefined to attach. */
  readonly command: readonly string[] | undefined;
  readonly container: string | undefined;
  readonly stdin: boolean;
  readonly tty: boolean;
  readonly quiet: boolean;
  /** How long to wait for a pod of something else. */
  readonly podTimeoutMs: number;
}

/** Runs a command in a container, or attaches to it, and ends with its exit code. */
export async function runInPod(options: ExecOptions, context: CommandContext): Promise<void> {
  const { command, quiet, stdin } = options;
  await using session = await openSession(options.connection, context, options);
  const { pod, container } = await chooseContainer(
    session,
    context,
    options.target,
    options.container,
    options,
  );
  const tty = options.tty && context.stdin.isTTY;
  if (options.tty && !tty) {
    context.err('Unable to use a TTY - input is not a terminal or the right kind of file');
  }
  const { columns, rows } = context.stdout;
  const { signal } = context;
  const shared = { container, stdin, tty, signal, ...(tty && { size: { columns, rows } }) };
  const streams =
    command === undefined
      ? await attach(session.rest, pod, shared)
      : await exec(session.rest, pod, command, shared);
  if (command === undefined && stdin && tty && !quiet) {
    context.err("If you don't see a command prompt, try pressing enter.");
  }
  const exitCode = await converse(streams, context, { stdin, tty });
  if (exitCode !== 0) throw new CommandExit(exitCode);
}

async function converse(
  session: ExecSession,
  context: CommandContext,
  { stdin, tty }: { readonly stdin: boolean; readonly tty: boolean },
): Promise<number> {
  using _raw = tty ? context.stdin.raw() : undefined;
  using _resize = tty
    ? context.stdout.onResize(() => {
        const { columns, rows } = context.stdout;
        session.resize({ columns, rows });
      })
    : undefined;
  if (stdin) void send(context.stdin.bytes, session);
  const [{ exitCode }] = await Promise.all([
    session.exited,
    print(session.stdout, context.stdout),
    print(session.stderr, context.stderr),
  ]);
  return exitCode;
}

/** The command may end before its input does. */
async function send(bytes: AsyncIterable<Uint8Array>, { stdin }: ExecSession): Promise<void> {
  for await (const chunk of bytes) {
    if (stdin.destroyed) return;
    if (!stdin.write(chunk)) {
      await new Promise<void>((resolve) => {
        stdin.once('drain', resolve).once('close', resolve);
      });
    }
  }
  stdin.end();
}

async function print(stream: ExecSession['stdout'], output: Output): Promise<void> {
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    output.write(chunk);
    await output.drained();
  }
}
