import { applyObjects, ManifestError, type ManifestResult } from 'client-ts/manifests';

import type { ConnectionValues } from '../frame/connection-flags.ts';
import type { CommandContext } from '../frame/context.ts';
import { printable } from '../frame/printable.ts';
import { qualifiedName } from '../print/object-printer.ts';
import { readManifests } from '../resources/manifests.ts';
import { openSession } from '../resources/session.ts';

/** Options of commands that send manifests. */
export interface ManifestOptions {
  readonly connection: ConnectionValues;
  readonly namespace: string | undefined;
  readonly files: readonly string[];
  readonly recursive: boolean;
}

/** Options of `client-ts apply`. */
export interface ApplyOptions extends ManifestOptions {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly force: boolean;
  /** Print only names. */
  readonly namesOnly: boolean;
  readonly prune: { readonly labelSelector: string; readonly allow: readonly string[] } | undefined;
}

/** Applies the objects of files, and prints what happened to each. */
export async function apply(options: ApplyOptions, context: CommandContext): Promise<void> {
  const { connection, dryRun, fieldManager, force, prune, recursive } = options;
  const objects = await readManifests(options.files, context, { recursive });
  await using session = await openSession(connection, context, options);
  await reportingEach(() =>
    applyObjects(session, objects, {
      dryRun,
      fieldManager,
      force,
      prune,
      signal: context.signal,
      onResult: ({ outcome, object }) => {
        if (outcome === 'failed') return;
        const suffix = dryRun ? ' (server dry run)' : '';
        const what = options.namesOnly ? '' : ` ${outcome}${suffix}`;
        context.out(printable(`${qualifiedName(object)}${what}`));
      },
    }),
  );
}

/** Throws the errors of all objects that failed, instead of the first. */
export async function reportingEach<R extends ManifestResult>(
  send: () => Promise<R[]>,
): Promise<R[]> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ManifestError) || error.code !== 'MANIFESTS_FAILED') throw error;
    const errors = error.results.flatMap((result) => (result.error ? [result.error] : []));
    throw new AggregateError(errors, error.message, { cause: error });
  }
}
