import { Clientset } from 'client-ts/kubernetes';
import { scale } from 'client-ts/operations';

import { CliError } from '../frame/cli-error.ts';
import type { ConnectionValues } from '../frame/connection-flags.ts';
import type { CommandContext } from '../frame/context.ts';
import { printable } from '../frame/printable.ts';
import { selectObjects, type SelectOptions } from '../resources/select.ts';
import { openSession } from '../resources/session.ts';

/** Options of `client-ts scale`. */
export interface ScaleCommandOptions extends SelectOptions {
  readonly connection: ConnectionValues;
  readonly namespace: string | undefined;
  readonly replicas: number;
  readonly currentReplicas: number | undefined;
  readonly dryRun: boolean;
}

/** Sets the number of replicas of objects, and prints each. */
export async function scaleAll(
  options: ScaleCommandOptions,
  context: CommandContext,
): Promise<void> {
  await using session = await openSession(options.connection, context, options);
  const client = new Clientset(session.rest);
  const { signal } = context;
  const { replicas, currentReplicas: ifReplicas, dryRun } = options;
  const objects = await selectObjects(session, options, context);
  if (objects.length === 0)
    throw new CliError('CLI_NOTHING_SELECTED', 'no objects passed to scale');
  for (const { resource, name, namespace, type } of objects) {
    await scale(client, resource, name, replicas, { namespace, ifReplicas, dryRun, signal });
    context.out(printable(`${type}/${name} scaled${dryRun ? ' (server dry run)' : ''}`));
  }
}
