import { stat } from 'node:fs/promises';
import { basename, join, posix, resolve } from 'node:path';
import { retryOf } from 'client-ts/internal';
import { ApiError } from 'client-ts/meta';
import { copyFrom, type CopyResult, copyTo, exec } from 'client-ts/streams';
import type { ConnectionValues } from '../frame/connection-flags.ts';
import type { CommandContext } from '../frame/context.ts';
import { printable } from '../frame/printable.ts';
import { reportRetry } from '../frame/report.ts';
import { UsageError } from '../frame/usage-error.ts';
import { openSession, type Session } from '../resources/session.ts';
import { chooseContainer } from './pod-argument.ts';

/** Options of `client-ts cp`. */
export interface CpOptions {
  readonly connection: ConnectionValues;
  readonly namespace: string | undefined;
  readonly source: string;
  readonly target: string;
  readonly container: string | undefined;
  readonly preserve: boolean;
  /** How often a copy from a container begins again. */
  readonly retries: number;
}

/** One side of a copy. */
interface Place {
  /** Undefined for this machine. */
  readonly pod: string | undefined;
  readonly namespace: string | undefined;
  readonly path: string;
}

/** Copies between this machine and a container. */
export async function cp(options: CpOptions, context: CommandContext): Promise<void> {
  const [source, target] = [parsePlace(options.source), parsePlace(options.target)];
  if ((source.pod === undefined) === (target.pod === undefined)) {
    throw new UsageError('one of SOURCE and TARGET must be in a pod: [NAMESPACE/]POD:PATH');
  }
  const { namespace = options.namespace } = source.pod === undefined ? target : source;
  await using session = await openSession(options.connection, context, { namespace });
  const remote = source.pod ?? target.pod ?? '';
  const chosen = await chooseContainer(session, context, remote, options.container);
  const { pod, container } = chosen;
  const own = { container, preserve: options.preserve, signal: context.signal };
  let result: CopyResult;
  if (source.pod === undefined) {
    const from = resolve(context.workingDirectory, source.path);
    const to = await remoteTarget(session, chosen, from, target.path, context.signal);
    result = await copyTo(session.rest, pod, from, to, own);
  } else {
    const to = await localTarget(resolve(context.workingDirectory, target.path), source.path);
    const copy = (): Promise<CopyResult> => copyFrom(session.rest, pod, source.path, to, own);
    result = await retrying(copy, options.retries, context);
  }
  for (const { path, reason } of result.skipped) {
    context.err(printable(`warning: skipping ${path}: ${reason}`));
  }
}

/** What was copied before is written again. */
async function retrying<T>(
  work: () => Promise<T>,
  retries: number,
  context: CommandContext,
): Promise<T> {
  for (let left = retries; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      context.signal.throwIfAborted();
      if (left <= 0 || retryOf(error) === 'never') throw error;
      reportRetry(error, context);
    }
  }
}

/** `[NAMESPACE/]POD:PATH`, or a local path. A path with a slash before the colon is local. */
export function parsePlace(text: string): Place {
  const found = /^(?:(?<namespace>[^/:.]+)\/)?(?<pod>[^/:]+):(?<path>.+)$/.exec(text);
  const { namespace, pod, path = '' } = found?.groups ?? {};
  // A drive of Windows is not a pod.
  const isDrive = process.platform === 'win32' && /^[A-Za-z]$/.test(pod ?? '');
  if (found === null || isDrive) return { pod: undefined, namespace: undefined, path: text };
  return { pod, namespace, path };
}

/** As with `cp`: into a folder that exists, under the same name. */
async function remoteTarget(
  { rest }: Session,
  { pod, container }: Awaited<ReturnType<typeof chooseContainer>>,
  from: string,
  path: string,
  signal: AbortSignal,
): Promise<string> {
  try {
    const test = await exec(rest, pod, ['test', '-d', path], { container, signal });
    const { exitCode } = await test.output();
    return exitCode === 0 ? posix.join(path, basename(from)) : path;
  } catch (error) {
    // A container without the program cannot say; `tar` will.
    if (!(error instanceof ApiError)) throw error;
    return path;
  }
}

async function localTarget(path: string, from: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true ? join(path, posix.basename(from)) : path;
}
