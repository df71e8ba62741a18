import type { KubernetesObject } from 'client-ts/meta';
import type { StrategyContext } from '../registry/strategy.ts';
import type { Core, Exchange } from './exchange.ts';

/**
 * Runs a write with what a strategy gets to see of the server. Addresses and ports that the write
 * took are given back if it fails or is only a rehearsal.
 */
export function withStrategyContext<T>(
  { core, info, warnings }: Exchange,
  dryRun: boolean,
  write: (context: StrategyContext) => T,
): T {
  const warn = (text: string): void => void warnings.push(text);
  const options = { dryRun, namespace: info.namespace, requestGroup: info.group, warn };
  return withCoreContext(core, options, write);
}

/** The same for writes that no request asked for: controllers, start-up. */
export function withCoreContext<T>(
  core: Core,
  {
    dryRun = false,
    namespace = '',
    requestGroup = '',
    warn = (): void => undefined,
  }: ContextOptions,
  write: (context: StrategyContext) => T,
): T {
  const allocators = core.allocators.begin();
  try {
    const result = write(contextOf(core, { dryRun, namespace, requestGroup, warn, allocators }));
    if (dryRun) allocators.revert();
    else allocators.commit();
    return result;
  } catch (error) {
    allocators.revert();
    throw error;
  }
}

function contextOf(
  { clock, random, catalog, store }: Core,
  parts: Pick<StrategyContext, 'allocators' | 'dryRun' | 'namespace' | 'requestGroup' | 'warn'>,
): StrategyContext {
  return {
    ...parts,
    clock,
    random,
    lookup: (group, resource, objectNamespace, name) =>
      catalog.registry(group, resource)?.find(objectNamespace, name)?.value as
        | KubernetesObject
        | undefined,
    list: (group, resource, objectNamespace) => {
      const registry = catalog.registry(group, resource);
      if (registry === undefined) return [];
      return store
        .range({ prefix: registry.prefix(objectNamespace) })
        .map(({ value }) => value as KubernetesObject);
    },
  };
}

interface ContextOptions {
  readonly dryRun?: boolean;
  readonly namespace?: string;
  readonly requestGroup?: string;
  readonly warn?: (text: string) => void;
}
