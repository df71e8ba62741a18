import type { CachedObject } from '../cache/list-watch.ts';
import type { GroupVersionResource } from '../meta/resource.ts';
import type { SelectorOptions } from '../rest/options.ts';
import type { InformerMachinery, InformerOptions } from './informer-options.ts';
import type { InformerRegistry } from './informer-registry.ts';

/** What a factory takes for granted if its getters are not told otherwise. */
export interface FactoryDefaults extends Omit<InformerOptions<CachedObject>, 'selection'> {
  /**
   * What `tweakListOptions` is in client-go: the same selectors for every resource, or a function
   * that is asked once for each informer.
   */
  readonly selection?: SelectorOptions | ((resource: GroupVersionResource) => SelectorOptions);
  /** Periods of particular resources, before `resyncPeriod`: `[[pods, 60_000], [nodes, 0]]`. */
  readonly customResync?: Iterable<readonly [GroupVersionResource, number]>;
}

/** How a factory of informers is made. */
export interface InformerFactoryOptions extends FactoryDefaults, InformerMachinery {
  /**
   * Shares informers with other factories of the same client. The registry then says how informers
   * work inside, and these options only which they are. Default: a registry of its own.
   */
  readonly registry?: InformerRegistry;
}
