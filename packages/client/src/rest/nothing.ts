import { type Clock, sleep } from '../lib/clock.ts';
import { abortable } from '../lib/signal.ts';
import { apiVersionOf, type GroupVersionKind } from '../meta/resource.ts';
import type { ResourceList } from './object-types.ts';
import type { ListOptions, SelectorOptions, WatchOptions } from './options.ts';
import { invalidRequest } from './rest-error.ts';
import { Stream } from './stream.ts';
import type { AnyWatchEvent, BookmarkEvent } from './watch.ts';

/**
 * The version of answers that were made without a server. It is one that watches accept, so that a
 * program which lists and then watches from there works with a selector that selects nothing.
 */
const VERSION = '1';

/**
 * True for `LabelMatcher.nothing` and `FieldMatcher.nothing`. They have no text form: a server that
 * receives their text, which is empty, selects everything. No request may be sent for them.
 */
export function selectsNothing({ labelSelector, fieldSelector }: SelectorOptions): boolean {
  return [labelSelector, fieldSelector].some(isNothing);
}

/** Compares a property and not identities: another copy of the package has another matcher. */
function isNothing(selector: SelectorOptions['fieldSelector' | 'labelSelector']): boolean {
  // Null, which only untyped callers give, is refused where selectors are written out.
  return Reflect.get(Object(selector), 'selectable') === false;
}

/** Throws for a selector that selects nothing: a write with it cannot be meant. */
export function refuseNothing(options: SelectorOptions): void {
  for (const name of ['labelSelector', 'fieldSelector'] as const) {
    if (!isNothing(options[name])) continue;
    throw invalidRequest(
      `${name} selects nothing, so that there is nothing to delete`,
      'Check where the selector comes from: an absent LabelSelector becomes LabelMatcher.nothing.',
    );
  }
}

/** The list that a server would answer if it could be asked for nothing. */
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
 * A watch without events: it lasts as long as a server would keep it open, and marks the end of the
 * initial events if the caller asks for them.
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
