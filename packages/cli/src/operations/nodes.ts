import { Clientset } from 'client-ts/kubernetes';
import { cordon, drain, type DrainEvent, type DrainOptions, uncordon } from 'client-ts/operations';

import type { ConnectionValues } from '../frame/connection-flags.ts';
import type { CommandContext } from '../frame/context.ts';
import { printable } from '../frame/printable.ts';
import { UsageError } from '../frame/usage-error.ts';
import { openSession } from '../resources/session.ts';

/** Nodes by name, or by label. */
export interface NodeSelection {
  readonly nodes: readonly string[];
  readonly labelSelector: string | undefined;
}

/** Options of `client-ts cordon` and `uncordon`. */
export interface CordonOptions extends NodeSelection {
  readonly connection: ConnectionValues;
  /** True to cordon, false to uncordon. */
  readonly unschedulable: boolean;
  readonly dryRun: boolean;
}

/** Cordons or uncordons nodes, and prints each. */
export async function cordonAll(options: CordonOptions, context: CommandContext): Promise<void> {
  await using session = await openSession(options.connection, context);
  const client = new Clientset(session.rest);
  for (const node of await nodesOf(client, options, context)) {
    await cordonOne(client, node, options, context);
  }
}

/** Returns the names of the nodes. Throws `UsageError` for none, and for names with a selector. */
async function nodesOf(
  client: Clientset,
  { nodes, labelSelector }: NodeSelection,
  { signal }: CommandContext,
): Promise<readonly string[]> {
  if (nodes.length > 0 === (labelSelector !== undefined)) {
    throw new UsageError('name nodes, or use a selector (-l)');
  }
  if (labelSelector === undefined) return nodes;
  const { items } = await client.coreV1.nodes().listAll({ labelSelector, signal }).toList();
  return items.map(({ metadata }) => metadata.name);
}

async function cordonOne(
  client: Clientset,
  node: string,
  { unschedulable, dryRun }: Pick<CordonOptions, 'dryRun' | 'unschedulable'>,
  context: CommandContext,
): Promise<void> {
  const { signal } = context;
  const { spec } = await client.coreV1.nodes().get(node, { signal });
  const isAlready = (spec?.unschedulable ?? false) === unschedulable;
  if (!isAlready) await (unschedulable ? cordon : uncordon)(client, node, { dryRun, signal });
  const what = unschedulable ? 'cordoned' : 'uncordoned';
  const suffix = dryRun ? ' (server dry run)' : '';
  context.out(printable(`node/${node} ${isAlready ? 'already ' : ''}${what}${suffix}`));
}

/** Options of `client-ts drain`. */
export interface DrainCommandOptions
  extends Omit<DrainOptions, 'onEvent' | 'signal'>, NodeSelection {
  readonly connection: ConnectionValues;
}

/** Drains nodes, one after the other, and prints what happens. */
export async function drainAll(
  { connection, nodes, labelSelector, ...options }: DrainCommandOptions,
  context: CommandContext,
): Promise<void> {
  await using session = await openSession(connection, context);
  const client = new Clientset(session.rest);
  const { signal } = context;
  const { dryRun = false } = options;
  const suffix = dryRun ? ' (server dry run)' : '';
  for (const node of await nodesOf(client, { nodes, labelSelector }, context)) {
    await cordonOne(client, node, { unschedulable: true, dryRun }, context);
    const onEvent = (event: DrainEvent): void => printEvent(event, suffix, context);
    await drain(client, node, { ...options, onEvent, signal });
    context.out(printable(`node/${node} drained${suffix}`));
  }
}

function printEvent(
  { type, pod, reason = '' }: DrainEvent,
  suffix: string,
  context: CommandContext,
): void {
  const { namespace = '', name } = pod.metadata;
  const place = printable(`${namespace}/${name}`);
  if (type === 'evicting') context.out(`evicting pod ${place}${suffix}`);
  else if (type === 'evicted') context.out(`pod/${printable(name)} evicted`);
  else if (type === 'skipped') context.err(`Warning: ignoring pod ${place}: ${printable(reason)}`);
  else context.err(`error when evicting pod ${place} (will retry): ${printable(reason)}`);
}
