import { type Clock, sleep } from '../lib/clock.ts';
import { abortable } from '../lib/signal.ts';
import { apiVersionOf, type GroupVersionKind } from '../meta/resource.ts';
import type { ResourceList } from './object-types.ts';
import type { ListOptions, SelectorOptions, WatchOptions } from './options.ts';
import { invalidRequest } from './rest-error.ts';
import { Stream } from './stream.ts';
import type { AnyWatchEvent, BookmarkEvent } from './watch.ts';

/**
 * The resourceVersion of responses that are made without a server. Watches accept it, so that a
 * program that lists and then watches works with a selector that selects nothing.
 */
const VERSION = '1';

/**
 * True for `LabelMatcher.nothing` and `FieldMatcher.nothing`. Their text form is empty, which servers
 * read as "everything", so that no request may be sent for them.
 */
export function selectsNothing({ labelSelector, fieldSelector }: SelectorOptions): boolean {
  return [labelSelector, fieldSelector].some(isNothing);
}

/** Reads a property instead of comparing identities: another copy of the package has its own. */
function isNothing(selector: SelectorOptions['fieldSelector' | 'labelSelector']): boolean {
  // Null, from untyped callers, is refused where the query is made.
  return Reflect.get(Object(selector), 'selectable') === false;
}

/** Throws for a selector that selects nothing: deleting nothing is a mistake of the caller. */
export function refuseSelectingNothing(options: SelectorOptions): void {
  for (const name of ['labelSelector', 'fieldSelector'] as const) {
    if (!isNothing(options[name])) continue;
    throw invalidRequest(
      `${name} selects nothing, so there is nothing to delete`,
      'Check the source of the selector: a missing LabelSelector becomes LabelMatcher.nothing.',
    );
  }
}

/** Returns the empty list that a server would send. */
export function emptyList<T>(
  kind: GroupVersionKind,
  { resourceVersion = VERSION, signal }: Pick<ListOptions, 'resourceVersion' | 'signal'>,
): ResourceList<T> {
  signal?.throwIfAborted();
  return {
    apiVersion: apiVersionOf(kind),
    kind: `${kind.kind}List`,
    metadata: { resourceVersion: isReal(resourceVersion) ? resourceVersion : VERSION },
    items: [],
  };
}

/**
 * Returns a watch without events. It stays open as long as a server would keep it open, and sends the
 * bookmark that ends the initial events if they were requested.
 */
export function emptyWatch<T>(options: WatchOptions, clock: Clock): Stream<AnyWatchEvent<T>> {
  const { resourceVersion = VERSION, sendInitialEvents, timeoutSeconds, signal } = options;
  async function* events(whileOpen: AbortSignal): AsyncGenerator<BookmarkEvent, void, undefined> {
    if (sendInitialEvents === true) {
      const version = isReal(resourceVersion) ? resourceVersion : VERSION;
      const annotations = { 'k8s.io/initial-events-end': 'true' };
      yield {
        type: 'BOOKMARK',
        object: { metadata: { resourceVersion: version, annotations } },
      };
    }
    if (timeoutSeconds === undefined) await abortable(new Promise(() => undefined), whileOpen);
    else await sleep(clock, timeoutSeconds * 1000, { signal: whileOpen });
  }
  return new Stream<AnyWatchEvent<T>>(events, { signal });
}

function isReal(resourceVersion: string): boolean {
  return resourceVersion !== '' && resourceVersion !== '0';
}
