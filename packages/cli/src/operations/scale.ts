import { Clientset } from 'client-ts/kubernetes';
import { scale } from 'client-ts/operations';

import type { ConnectionValues } from '../frame/connection-flags.ts';
import type { CommandContext } from '../frame/context.ts';
import { printable } from '../frame/printable.ts';
import { UsageError } from '../frame/usage-error.ts';
import { resolveTargets } from '../resources/resolve.ts';
import { openSession } from '../resources/session.ts';
import { parseTargets } from '../resources/targets.ts';

/** Options of `client-ts scale`. */
export interface ScaleCommandOptions {
  readonly connection: ConnectionValues;
  readonly namespace: string | undefined;
  readonly objects: readonly string[];
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
  const selections = await resolveTargets(session, parseTargets(options.objects), signal);
  for (const { resource, names } of selections) {
    const { singular, group } = resource;
    if (names === undefined)
      throw new UsageError(`name the ${resource.resource}: ${singular}/NAME`);
    for (const name of names) {
      const request = { namespace: session.namespace, ifReplicas, dryRun, signal };
      await scale(client, resource, name, replicas, request);
      const type = group === '' ? singular : `${singular}.${group}`;
      context.out(printable(`${type}/${name} scaled${dryRun ? ' (server dry run)' : ''}`));
    }
  }
}
