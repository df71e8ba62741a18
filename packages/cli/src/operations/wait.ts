import { DynamicClient } from 'client-ts/dynamic';
import { conditions, type WaitCondition, WaitError, waitFor } from 'client-ts/wait';
import type { KubernetesObject } from 'client-ts/meta';

import type { ConnectionValues } from '../frame/connection-flags.ts';
import type { CommandContext } from '../frame/context.ts';
import { printable } from '../frame/printable.ts';
import { UsageError } from '../frame/usage-error.ts';
import { resolveTargets } from '../resources/resolve.ts';
import { openSession } from '../resources/session.ts';
import { parseTargets } from '../resources/targets.ts';

/** Options of `client-ts wait`. */
export interface WaitCommandOptions {
  readonly connection: ConnectionValues;
  readonly namespace: string | undefined;
  readonly objects: readonly string[];
  readonly labelSelector: string | undefined;
  readonly all: boolean;
  readonly condition: string;
  readonly timeoutMs: number;
}

/** Waits until objects meet a condition, and prints each. */
export async function waitAll(options: WaitCommandOptions, context: CommandContext): Promise<void> {
  const condition = parseCondition(options.condition);
  await using session = await openSession(options.connection, context, options);
  const { labelSelector, all, timeoutMs } = options;
  const { signal } = context;
  const selections = await resolveTargets(session, parseTargets(options.objects), signal);
  const dynamic = new DynamicClient(session.rest);
  for (const { resource, names } of selections) {
    if (names === undefined && labelSelector === undefined && !all) {
      throw new UsageError(`name the ${resource.resource} to wait for, or use -l or --all`);
    }
    const client = dynamic.resource(resource);
    const placed = resource.scope === 'Namespaced' ? client.namespace(session.namespace) : client;
    const { group, singular } = resource;
    const type = group === '' ? singular : `${singular}.${group}`;
    const found =
      names ??
      (await placed.listAll({ labelSelector, signal }).toList()).items.map(
        ({ metadata }) => metadata.name,
      );
    if (found.length === 0) throw new UsageError('no matching resources found');
    for (const name of found) {
      try {
        await waitFor(placed, name, condition, { timeoutMs, signal });
      } catch (error) {
        if (!(error instanceof WaitError) || error.code !== 'WAIT_TIMEOUT') throw error;
        const message = `timed out waiting for the condition on ${resource.resource}/${name}`;
        throw new WaitError('WAIT_TIMEOUT', message, { cause: error });
      }
      context.out(printable(`${type}/${name} condition met`));
    }
  }
}

/** Parses kubectl's `--for`. Throws `UsageError`. */
export function parseCondition(text: string): WaitCondition<KubernetesObject> {
  const lower = text.toLowerCase();
  if (lower === 'delete') return conditions.deleted();
  if (lower === 'create') return conditions.exists;
  if (lower.startsWith('condition=')) {
    const [type = '', status = 'True'] = text.slice('condition='.length).split('=');
    if (type !== '') return conditions.conditionIs(type, status);
  }
  const [, path, value] = /^jsonpath=(\{.*\}|[^=]+)(?:=(.*))?$/is.exec(text) ?? [];
  if (path !== undefined) return conditions.jsonPath(path, value);
  throw new UsageError(
    `--for must be create, delete, condition=TYPE[=STATUS] or jsonpath={PATH}[=VALUE], not ${JSON.stringify(text)}`,
  );
}
