import type { ConnectionValues } from '../frame/connection-flags.ts';
import type { CommandContext } from '../frame/context.ts';
import { writeExactly } from '../frame/printable.ts';
import { withProgress } from '../frame/progress.ts';
import { compareStrings } from 'client-ts/internal';
import { openSession } from '../resources/session.ts';

/** Options of `client-ts api-versions`. */
export interface ApiVersionsOptions {
  readonly connection: ConnectionValues;
  /** False: do not use the discovery cache. */
  readonly cached: boolean;
}

/** Prints the group-versions of the server. */
export async function printApiVersions(
  { connection, cached }: ApiVersionsOptions,
  context: CommandContext,
): Promise<void> {
  await using session = await openSession(connection, context);
  if (!cached) session.discovery.invalidate();
  const groups = await withProgress(
    context,
    `Asking ${session.config.server} what it serves`,
    session.discovery.serverGroups({ signal: context.signal }),
  );
  const versions = groups.flatMap((group) => group.versions.map((each) => each.groupVersion));
  for (const version of versions.sort(compareStrings)) {
    writeExactly(context.stdout, `${version}\n`);
  }
}
