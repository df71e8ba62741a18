import { namespaces } from 'client-ts/api/core/v1';
import { loadKubeConfig } from 'client-ts/clientcmd';
import { type OwnedSignal, withDeadline } from 'client-ts/internal';

import type { ConnectionValues } from '../frame/connection-flags.ts';
import { type CommandContext, environmentOf } from '../frame/context.ts';
import { fetchAll } from '../resources/fetch.ts';
import { openSession } from '../resources/session.ts';
import type { Lookup } from './complete.ts';

/** The user is waiting at the prompt. */
const TIMEOUT_MS = 2000;

/**
 * Looks up types in the discovery cache, contexts in the kubeconfig, and namespaces on the server.
 * Errors yield no candidates.
 */
export function lookupIn(context: CommandContext, connection: ConnectionValues): Lookup {
  const find = {
    context: () => contexts(connection, context),
    kind: () => kinds(connection, context),
    namespace: () => namespaceNames(connection, context),
  };
  return {
    find: async (what) => {
      try {
        return await find[what]();
      } catch {
        return [];
      }
    },
  };
}

async function contexts(
  { kubeconfig }: ConnectionValues,
  context: CommandContext,
): Promise<string[]> {
  const config = await loadKubeConfig({
    env: environmentOf(context),
    ...(kubeconfig !== undefined && { kubeconfig }),
  });
  return [...config.contexts.keys()].sort();
}

async function kinds(connection: ConnectionValues, context: CommandContext): Promise<string[]> {
  await using session = await openSession(connection, context);
  using limited = limitedSignal(context);
  const { resources } = await session.discovery.preferredResources({ signal: limited.signal });
  const found = resources.flatMap((list) =>
    list.resources.filter(({ verbs }) => verbs.includes('get')).map(({ name }) => name),
  );
  return [...new Set(found)].sort();
}

async function namespaceNames(
  connection: ConnectionValues,
  context: CommandContext,
): Promise<string[]> {
  await using session = await openSession(connection, context);
  using limited = limitedSignal(context);
  const names: string[] = [];
  const pages = fetchAll(
    session,
    namespaces,
    { as: 'objects' },
    {
      namespace: '',
      chunkSize: 500,
      signal: limited.signal,
    },
  );
  for await (const page of pages) {
    if ('objects' in page) names.push(...page.objects.map(({ metadata }) => metadata?.name ?? ''));
  }
  return names;
}

function limitedSignal({ clock, signal }: CommandContext): OwnedSignal {
  return withDeadline(signal, {
    clock,
    timeoutMs: TIMEOUT_MS,
    reason: () => new DOMException(`no answer after ${TIMEOUT_MS} ms`, 'TimeoutError'),
  });
}
