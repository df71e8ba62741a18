import { DiscoveryClient, type VersionInfo } from 'client-ts/discovery';

import { configFor } from '../frame/connect.ts';
import type { ConnectionValues } from '../frame/connection-flags.ts';
import type { CommandContext } from '../frame/context.ts';
import { withProgress } from '../frame/progress.ts';

/** Returns the version of the server. */
export async function askVersion(
  connection: ConnectionValues,
  context: CommandContext,
): Promise<VersionInfo> {
  const config = await configFor(connection, context);
  await using discovery = new DiscoveryClient(config);
  return await withProgress(
    context,
    `Asking ${config.server}`,
    discovery.serverVersion({ signal: context.signal }),
  );
}
