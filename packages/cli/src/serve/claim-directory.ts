import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';

import { CollectorError, DirectoryLock } from '@client-ts/collector';

import { CliError } from '../frame/cli-error.ts';
import type { CommandContext } from '../frame/context.ts';

/** The default kubeconfig of an embedded server, relative to the working directory. */
export const defaultKubeconfig = '.kube/client-ts.kubeconfig';

/** The directory for files of the commands, relative to the working directory. */
export const stateDirectory = '.client-ts';

/**
 * Reserves the working directory for one embedded server, until disposed: two would overwrite each
 * other's kubeconfig and database. Throws `CLI_DIRECTORY_IN_USE`, naming the process that has it. A
 * dead process does not keep it.
 */
export async function claimDirectory(
  { clock, signal, workingDirectory }: CommandContext,
  hint?: string,
): Promise<AsyncDisposable> {
  const directory = join(workingDirectory, stateDirectory);
  let lock: DirectoryLock;
  try {
    lock = await DirectoryLock.take({ directory, clock, signal });
  } catch (cause) {
    signal.throwIfAborted();
    const { message } = cause as Error;
    if (cause instanceof CollectorError && cause.code === 'COLLECTOR_LOCKED') {
      const text = `another client-ts server runs in this directory: ${message}`;
      throw new CliError('CLI_DIRECTORY_IN_USE', text, { cause, hint });
    }
    throw new CliError('CLI_DIRECTORY_UNWRITABLE', `cannot write "${directory}": ${message}`, {
      cause,
    });
  }
  return {
    [Symbol.asyncDispose]: async () => {
      await lock[Symbol.asyncDispose]();
      // Stays if it has other files.
      await rmdir(directory).catch(() => undefined);
    },
  };
}
