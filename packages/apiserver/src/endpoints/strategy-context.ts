import { withClusterContext } from '../registry/cluster.ts';
import type { StrategyContext } from '../registry/strategy.ts';
import type { Exchange } from './exchange.ts';

/**
 * Runs the write of a request with what a strategy gets to see of it. Addresses and ports that the
 * write took are given back if it fails or is only a rehearsal.
 */
export function withStrategyContext<T>(
  { core, info, user, warnings }: Exchange,
  dryRun: boolean,
  write: (context: StrategyContext) => T,
): T {
  const warn = (text: string): void => void warnings.push(text);
  const origin = { dryRun, namespace: info.namespace, requestGroup: info.group, user, warn };
  return withClusterContext(core, origin, write);
}
