import { union } from './field-set.ts';
import { type Manager, managerKey, type Managers, secondsOf } from './managers.ts';
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
  for (const [key, manager] of updates) {
    if (excess === 0) return;
    const first = oldest.get(manager.apiVersion);
    if (first === undefined) {
      // Alone it has nothing to be merged with.
      oldest.set(manager.apiVersion, key);
    } else {
      collect(managers, first, key, manager);
      excess--;
    }
  }
}

function collect(managers: Managers, first: string, key: string, manager: Manager): void {
  const identity = { ...manager, manager: collector, subresource: '' };
  const bucket = managerKey(identity);
  const collected = managers.get(bucket === key ? first : bucket) ?? managers.get(first);
  if (collected === undefined) return;
  if (bucket === key || !managers.has(bucket)) managers.delete(first);
  managers.delete(key);
  // The identity has the time of the newest entry in it.
  managers.set(bucket, { ...identity, set: union(manager.set, collected.set) });
}
