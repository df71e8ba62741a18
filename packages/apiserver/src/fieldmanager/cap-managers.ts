import { emptySet, union } from './field-set.ts';
import { managerKey, type Managers, secondsOf } from './managers.ts';
import { compareText } from './path-element.ts';

/** How many entries of updates are kept apart. */
const maxUpdateManagers = 10;

/** The manager that collects the oldest updates, one entry per version. */
const collector = 'ancient-changes';

/** Merges the oldest updates of each version into one entry until there are few enough. */
export function capUpdateManagers(managers: Managers): void {
  const updates = Array.from(managers).filter(([, { operation }]) => operation === 'Update');
  let excess = updates.length - maxUpdateManagers;
  if (excess <= 0) return;
  updates.sort(
    ([leftKey, left], [rightKey, right]) =>
      secondsOf(left) - secondsOf(right) || compareText(leftKey, rightKey),
  );
  const oldest = new Map<string, string>();
  for (const [key, { apiVersion }] of updates) {
    if (excess === 0) return;
    const first = oldest.get(apiVersion);
    if (first === undefined) {
      // Alone it has nothing to be merged with.
      oldest.set(apiVersion, key);
    } else {
      collect(managers, first, key);
      excess--;
    }
  }
}

/** Moves the entry of `key` into that of the collector, which starts as the entry of `first`. */
function collect(managers: Managers, first: string, key: string): void {
  const manager = managers.get(key);
  if (manager === undefined) return;
  // The time of the newest entry goes along.
  const identity = { ...manager, manager: collector, subresource: '' };
  const bucket = managerKey(identity);
  const from = managers.has(bucket) && bucket !== key ? bucket : first;
  const collected = managers.get(from);
  managers.delete(from);
  managers.delete(key);
  managers.set(bucket, { ...identity, set: union(manager.set, collected?.set ?? emptySet) });
}
