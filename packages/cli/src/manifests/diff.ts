import { applyObjects, diffOf } from 'client-ts/manifests';

import { CommandExit } from '../frame/command-exit.ts';
import type { CommandContext } from '../frame/context.ts';
import { printableLines } from '../frame/printable.ts';
import { readManifests } from '../resources/manifests.ts';
import { openSession } from '../resources/session.ts';
import { type ManifestOptions, reportingEach } from './apply.ts';

/** Options of `client-ts diff`. */
export interface DiffOptions extends ManifestOptions {
  readonly fieldManager: string;
  readonly force: boolean;
}

/** Prints what an apply would change. Exit code 1 if there is something, as kubectl; 2 for errors. */
export async function diff(options: DiffOptions, context: CommandContext): Promise<void> {
  const { connection, fieldManager, force, recursive } = options;
  let isDifferent = false;
  try {
    const objects = await readManifests(options.files, context, { recursive });
    await using session = await openSession(connection, context, options);
    await reportingEach(() =>
      applyObjects(session, objects, {
        dryRun: true,
        fieldManager,
        force,
        signal: context.signal,
        onResult: (result) => {
          if (!('after' in result) || result.outcome === 'unchanged') return;
          isDifferent = true;
          context.out(printableLines(diffOf(result)).trimEnd());
        },
      }),
    );
  } catch (error) {
    context.signal.throwIfAborted();
    throw new CommandExit(2, { cause: error });
  }
  if (isDifferent) throw new CommandExit(1, { message: '' });
}
