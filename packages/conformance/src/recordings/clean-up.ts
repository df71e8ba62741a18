import { removeNamespaces, removeObject } from '../http/clean-up.ts';
import type { Outcome } from './replay.ts';
import type { ReplayTarget } from './target.ts';

/** The recordings use these namespaces and no others. */
const OURS = /^rec-/;

/** Removes what a group has left behind, so that the next one meets the server it expects. */
export async function cleanUp(
  { admin }: ReplayTarget,
  outcomes: readonly Outcome[],
): Promise<void> {
  for (const { exchange, request } of outcomes.toReversed()) {
    const path = request?.path.split('?')[0] ?? '';
    const created = exchange.request.method === 'POST' && exchange.response.status === 201;
    if (!created || path.includes('/namespaces') || request?.path.includes('dryRun')) continue;
    const body = exchange.response.body as { metadata?: { name?: string } } | undefined;
    const name = body?.metadata?.name;
    if (name !== undefined) await removeObject(admin, `${path}/${name}`);
  }
  await removeNamespaces(admin, (name) => OURS.test(name));
}
