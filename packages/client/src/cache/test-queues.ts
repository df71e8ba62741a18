import type { QueueDelta } from './delta-queue.ts';
import type { Queue } from './queue.ts';
import type { TestObject } from './test-objects.ts';
import { DeletedFinalStateUnknown } from './store.ts';

/** A delta as a short text: `Added ns/a@3`, `Deleted a@? (missed)`, `ReplacedAll a@1 b@2 @9`. */
export function describeDelta(delta: QueueDelta<TestObject>): string {
  switch (delta.type) {
    case 'Bookmark':
      return `Bookmark @${delta.resourceVersion}`;
    case 'SyncAll':
      return 'SyncAll';
    case 'ReplacedAll':
      return [
        'ReplacedAll',
        ...delta.objects.map(describeObject),
        `@${delta.resourceVersion}`,
      ].join(' ');
    case 'Deleted':
      return delta.object instanceof DeletedFinalStateUnknown
        ? `Deleted ${delta.key}@${delta.object.object?.metadata?.resourceVersion ?? '?'} (missed)`
        : `Deleted ${describeObject(delta.object)}`;
    case 'Added':
    case 'Replaced':
    case 'Sync':
    case 'Updated':
      return `${delta.type} ${describeObject(delta.object)}`;
  }
}

function describeObject({ metadata }: TestObject): string {
  return `${metadata?.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata?.name}@${metadata?.resourceVersion ?? '?'}`;
}

/** Pops everything: one line for each item, with a star for those of the first list. */
export function drain(queue: Queue<TestObject, readonly QueueDelta<TestObject>[]>): string[] {
  const lines: string[] = [];
  while (queue.size > 0) {
    void queue.tryPop((deltas, isInInitialList) => {
      lines.push(`${isInInitialList ? '* ' : ''}${deltas.map(describeDelta).join(', ')}`);
    });
  }
  return lines;
}
