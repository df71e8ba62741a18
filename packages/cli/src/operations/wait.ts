import { conditions, type WaitCondition, WaitError, waitFor } from 'client-ts/wait';
import type { KubernetesObject } from 'client-ts/meta';

import { CliError } from '../frame/cli-error.ts';
import type { ConnectionValues } from '../frame/connection-flags.ts';
import type { CommandContext } from '../frame/context.ts';
import { printable } from '../frame/printable.ts';
import { UsageError } from '../frame/usage-error.ts';
import { selectObjects, type SelectOptions } from '../resources/select.ts';
import { openSession } from '../resources/session.ts';

/** Options of `client-ts wait`. */
export interface WaitCommandOptions extends SelectOptions {
  readonly connection: ConnectionValues;
  readonly namespace: string | undefined;
  readonly condition: string;
  readonly timeoutMs: number;
}

/** Waits until objects meet a condition, and prints each. */
export async function waitAll(options: WaitCommandOptions, context: CommandContext): Promise<void> {
  const condition = parseCondition(options.condition);
  await using session = await openSession(options.connection, context, options);
  const { timeoutMs } = options;
  const { signal } = context;
  const objects = await selectObjects(session, options, context);
  if (objects.length === 0) {
    throw new CliError('CLI_NOTHING_SELECTED', 'no matching resources found');
  }
  for (const { resource, client, name, type } of objects) {
    try {
      await waitFor(client, name, condition, { timeoutMs, signal });
    } catch (error) {
      if (!(error instanceof WaitError) || error.code !== 'WAIT_TIMEOUT') throw error;
      const message = `timed out waiting for the condition on ${resource.resource}/${name}`;
      throw new WaitError('WAIT_TIMEOUT', message, { cause: error });
    }
    context.out(printable(`${type}/${name} condition met`));
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
