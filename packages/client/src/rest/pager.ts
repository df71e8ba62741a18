import { apiErrorOf } from '../meta/api-error.ts';
import { isExpired, isGone } from '../meta/error-guards.ts';
import type { ResourceList } from './object-types.ts';
import type { ListAllOptions, ListOptions } from './options.ts';
import { RestError } from './rest-error.ts';

/** Objects per page by default: few requests, and pages that fit into memory on both sides. */
export const DEFAULT_PAGE_SIZE = 500;

/** A page of a list, as far as paging looks at it. */
export interface Page {
  readonly items: readonly unknown[];
  readonly metadata?:
    | { readonly continue?: unknown; readonly resourceVersion?: string }
    | undefined;
}

/** The part of a list request that paging sets or leaves out. */
export type PageRequest = Pick<
  ListOptions,
  'continue' | 'limit' | 'resourceVersion' | 'resourceVersionMatch' | 'signal'
>;

/** How {@link collectPages} reads. */
export interface CollectOptions {
  /** Objects per request. 0 requests everything in one page. Default 500. */
  readonly pageSize?: number | undefined;
  /**
   * Start over with one request for everything when the server has compacted the version of the
   * first page. Default true.
   */
  readonly fullListIfExpired?: boolean | undefined;
}

/** A whole list, read page by page. */
export interface CollectedPages<P extends Page> {
  readonly items: readonly P['items'][number][];
  /** The page whose version holds for the whole list: watch from there. */
  readonly first: P;
  /** True if the server sent the list in more than one page. */
  readonly isPaginated: boolean;
}

/**
 * Reads a whole list page by page, all at the version of the first page, as client-go's pager does.
 * Rejects with the signal's reason if it aborts between two pages, and with `REST_LIST_ENDLESS` if
 * the continue tokens do not come to an end.
 */
export async function collectPages<R extends PageRequest, P extends Page>(
  list: (request: R) => Promise<P>,
  request: R,
  { pageSize = DEFAULT_PAGE_SIZE, fullListIfExpired = true }: CollectOptions = {},
): Promise<CollectedPages<P>> {
  const paged: R = pageSize > 0 ? { ...request, limit: pageSize } : request;
  const first = await list(paged);
  const continuation = new Continuation(MAX_COLLECTED_OBJECTS);
  let next = continuation.after(first);
  const isPaginated = next !== undefined;
  const pages: P['items'][] = [first.items];
  while (next !== undefined) {
    request.signal?.throwIfAborted();
    try {
      const page: P = await list(continued(paged, next));
      pages.push(page.items);
      next = continuation.after(page);
    } catch (error) {
      if (!fullListIfExpired || !(isExpired(error) || isGone(error))) throw error;
      const full = await list(request);
      return { items: full.items, first: full, isPaginated };
    }
  }
  return { items: isPaginated ? pages.flat() : first.items, first, isPaginated };
}

/** The request for a further page. Servers refuse a version beside a token, which contains one. */
function continued<R extends PageRequest>(request: R, token: string): R {
  const { resourceVersion: _, resourceVersionMatch: __, ...rest } = request;
  return { ...rest, continue: token } as R;
}

/** Reads one page. */
export type ListPage<T> = (options: ListOptions) => Promise<ResourceList<T>>;

/**
 * All objects of a list, read page by page: `for await` yields one object after another and holds
 * one page at a time. Nothing is requested before the first object is read, and every loop starts
 * over.
 *
 * A list that takes longer than the server keeps old versions (five minutes) cannot be finished at
 * its first version. The loop then continues at the same place with the current objects: each is
 * still yielded once, but not all from the same version. {@link PagedList.toList} instead starts over
 * with one request for everything, as client-go's pager does. An abort is thrown, because half a
 * list must not look like a whole one; so is `REST_LIST_ENDLESS`.
 */
export class PagedList<T> implements AsyncIterable<T> {
  readonly #list: ListPage<T>;
  readonly #request: ListOptions;
  readonly #pageSize: number;

  constructor(list: ListPage<T>, { pageSize = DEFAULT_PAGE_SIZE, ...request }: ListAllOptions) {
    this.#list = list;
    this.#request = request;
    this.#pageSize = pageSize;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }

  /** Yields one page after another. Each page is a list with the version it was read at. */
  async *pages(): AsyncGenerator<ResourceList<T>, void, undefined> {
    const continuation = new Continuation();
    const request = { ...this.#request, limit: this.#pageSize };
    let page = await this.#list(request);
    let next = continuation.after(page);
    yield page;
    while (next !== undefined) {
      page = await this.#nextOrLater(continued(request, next));
      next = continuation.after(page);
      yield page;
    }
  }

  /** Returns everything as one list, at the version of the first page: the one to watch from. */
  async toList(): Promise<ResourceList<T>> {
    const pageSize = this.#pageSize;
    const { items, first } = await collectPages(this.#list, this.#request, { pageSize });
    const { continue: _, remainingItemCount: __, ...metadata } = first.metadata;
    return { ...first, metadata, items: [...items] };
  }

  /** A 410 for an old token carries a token for the same place among the current objects. */
  async #nextOrLater(request: ListOptions): Promise<ResourceList<T>> {
    try {
      return await this.#list(request);
    } catch (error) {
      const later = apiErrorOf(error)?.status.metadata?.continue ?? '';
      if (!isExpired(error) || later === '') throw error;
      return await this.#list({ ...request, continue: later });
    }
  }
}

/** A reader that keeps the whole list stops here: more objects do not fit into a process. */
export const MAX_COLLECTED_OBJECTS = 5_000_000;

/** How many pages in a row may be empty. Servers that filter late send a few such pages. */
const MAX_EMPTY_PAGES = 1000;

/**
 * Follows the continue tokens of one list. Throws `REST_LIST_ENDLESS` when they do not come to an
 * end: at a token that repeats, after many empty pages, and past `maxObjects`. Needs the same memory
 * for a list of any length.
 */
export class Continuation {
  readonly #maxObjects: number;
  #token = '';
  /** Brent's cycle detection: an earlier token, replaced after 1, 2, 4, 8, … pages. */
  #checkpoint = '';
  #checkpointAge = 0;
  #checkpointLife = 1;
  #objects = 0;
  #emptyPages = 0;

  constructor(maxObjects: number = Infinity) {
    this.#maxObjects = maxObjects;
  }

  /** Returns the token of the next page; undefined after the last page. */
  after({ items, metadata }: Page): string | undefined {
    const token = metadata?.continue ?? '';
    if (token === '') return undefined;
    if (typeof token !== 'string') throw endless(`a continue token of type ${typeof token}`);
    this.#objects += items.length;
    this.#emptyPages = items.length === 0 ? this.#emptyPages + 1 : 0;
    if (token === this.#token || token === this.#checkpoint) {
      throw endless('the same continue token again');
    }
    if (this.#emptyPages >= MAX_EMPTY_PAGES) throw endless(`${this.#emptyPages} empty pages`);
    if (this.#objects >= this.#maxObjects) {
      throw endless(`more pages after ${this.#objects} objects`);
    }
    this.#token = token;
    this.#checkpointAge += 1;
    if (this.#checkpointAge >= this.#checkpointLife) {
      this.#checkpoint = token;
      this.#checkpointAge = 0;
      this.#checkpointLife *= 2;
    }
    return token;
  }
}

function endless(what: string): RestError {
  return new RestError('REST_LIST_ENDLESS', `the list does not end: the server sent ${what}`);
}
