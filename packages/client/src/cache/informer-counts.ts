import {
  type DiagnosedInformer,
  informerChanges,
  informerReadings,
  type InformerStatistics,
  type Reading,
} from './diagnostics.ts';
import type { CachedObject } from './list-watch.ts';
import type { KeyedNotifications, Notification } from './shared-processor.ts';
import { lastKnownState } from './store.ts';

type Counts = { -readonly [Name in keyof Omit<InformerStatistics, 'handlers'>]: number };

/** Counts what an informer does, and publishes it if anything listens. */
export class InformerCounts<T extends CachedObject> {
  readonly #informer: DiagnosedInformer;
  readonly #counts: Counts = {
    added: 0,
    updated: 0,
    deleted: 0,
    bookmarks: 0,
    relists: 0,
    watchRestarts: 0,
  };

  constructor(informer: DiagnosedInformer) {
    this.#informer = informer;
  }

  get current(): Readonly<Counts> {
    return { ...this.#counts };
  }

  bookmark(): void {
    this.#counts.bookmarks += 1;
  }

  reading(reading: Reading): void {
    if (reading.how === 'watch') this.#counts.watchRestarts += 1;
    else if (!reading.isFirst) this.#counts.relists += 1;
    if (!informerReadings.hasSubscribers) return;
    informerReadings.publish({ ...reading, informer: this.#informer });
  }

  /** Counts a change of the store. */
  change(key: string, notification: Notification<T>): void {
    const { type } = notification;
    if (type === 'add') this.#counts.added += 1;
    else if (type === 'update') this.#counts.updated += 1;
    else this.#counts.deleted += 1;
    if (informerChanges.isWanted) this.#publish(key, notification);
  }

  /** Counts the changes of a list. One by one only while anything listens: a list may be long. */
  changes({ keys, items, added, deleted }: KeyedNotifications<T>): void {
    this.#counts.added += added;
    this.#counts.deleted += deleted;
    this.#counts.updated += items.length - added - deleted;
    // A subscriber may take a few and no more.
    for (let position = 0; position < keys.length && informerChanges.isWanted; position += 1) {
      this.#publish(keys[position] as string, items[position] as Notification<T>);
    }
  }

  #publish(key: string, notification: Notification<T>): void {
    const common = { informer: this.#informer, key };
    switch (notification.type) {
      case 'add': {
        const { type, object: after, isInInitialList } = notification;
        informerChanges.publish({ ...common, type, before: undefined, after, isInInitialList });
        break;
      }
      case 'update': {
        const { type, oldObject: before, newObject: after } = notification;
        informerChanges.publish({ ...common, type, before, after, isInInitialList: false });
        break;
      }
      case 'delete': {
        const { type, object } = notification;
        const before = lastKnownState(object);
        const isInInitialList = false;
        informerChanges.publish({ ...common, type, before, after: undefined, isInInitialList });
      }
    }
  }
}
