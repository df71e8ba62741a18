import type { Clientset } from 'client-ts/kubernetes';

import { UsageError } from '../frame/usage-error.ts';
import { foreignNodes } from '@client-ts/simulator';

/**
 * Refuses to simulate where that would do harm: on a server that somebody named without saying
 * `--yes`, and on a real cluster in any case, where a control plane looks after deployments already.
 */
export async function checkPermission(
  client: Clientset,
  { url, isConfirmed }: { readonly url: string; readonly isConfirmed: boolean },
  signal: AbortSignal,
): Promise<void> {
  if (!isConfirmed) {
    throw new UsageError(
      `the simulation writes to ${url}: it makes nodes, deployments, pods and events there. Say --yes if that is right`,
    );
  }
  const nodes = await foreignNodes(client, signal);
  if (nodes.length > 0) {
    throw new UsageError(
      `${url} has nodes of its own (${nodes.join(', ')}): its control plane and the simulation would fight over every pod`,
    );
  }
}
