import { Indexer } from './indexer.ts';
import type { IndexFunc } from './indexers.ts';

interface Item {
  readonly id: string;
  readonly phase: 'off' | 'on';
}

const plain = new Indexer<Item>({ keyFunc: ({ id }) => id });
const store = plain.addIndexers({
  phase: (item) => [item.phase],
  size: (item) => [item.id.length],
});

const found: Item[] = store.byIndex('phase', 'on');
const sizes: number[] = store.listIndexFuncValues('size');
store.countByIndex('size', 3);
found.concat(store.addIndexers({ more: () => ['x'] }).byIndex('phase', 'off'));
sizes.push(store.size);

// @ts-expect-error there is no such index
store.byIndex('colour', 'red');
// @ts-expect-error no phase is called so
store.byIndex('phase', 'paused');
// @ts-expect-error sizes are numbers
store.countByIndex('size', '3');
// @ts-expect-error the type before the indices were added knows none of them
plain.byIndex('phase', 'on');
// @ts-expect-error values of an index are strings, numbers or booleans
plain.addIndexers({ wrong: (item) => [item] });

const loose: Indexer<Item, Record<string, IndexFunc<Item>>> = store;
loose.byIndex('anything', 'goes');
