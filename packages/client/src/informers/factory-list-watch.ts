import {
  type CachedObject,
  type ListableResource,
  type ListerWatcher,
  ListWatch,
} from '../cache/list-watch.ts';
import type { SelectorOptions } from '../rest/options.ts';

/** How the informer of a factory reads from the server: the one place where that is decided. */
export function factoryListWatch(
  resource: ListableResource<CachedObject, SelectorOptions>,
  selection: SelectorOptions,
): ListerWatcher<CachedObject> {
  return new ListWatch(resource, { selection });
}
