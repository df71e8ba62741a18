import { apiErrorOf } from '../meta/api-error.ts';
import { isExpired } from '../meta/error-guards.ts';
import { Continuation, MOST_KEPT_OBJECTS } from './continuation.ts';
import type { ListAllOptions, ListOptions } from './options.ts';
import type { ResourceList } from './object-types.ts';

/** Reads one page. */
export type ListPage<T> = (options: ListOptions) => Promise<ResourceList<T>>;

/** Large enough to be quick, small enough for the server's and this process's memory. */
const PAGE_SIZE = 500;

/**
 * All objects of a list, read page by page: `for await` gives one object after another and never
 * holds more than one page. Nothing is requested before the first is asked for, and every loop
 * starts over.
 *
 * A list that takes longer than the server keeps old versions (five minutes) cannot be finished as
 * it was begun. The loop then goes on where it stopped, with objects as they are by then: each is
 * still given once, but not all from the same moment. {@link PagedList.toList} instead starts over
 * with one request for everything, as client-go's pager does. An abort is thrown: half a list must
 * not look like a whole one. So is `REST_LIST_ENDLESS`, when the server's continue tokens lead nowhere.
 */
export class PagedList<T> implements AsyncIterable<T> {
  readonly #list: ListPage<T>;
  readonly #first: ListOptions;

  constructor(list: ListPage<T>, { pageSize = PAGE_SIZE, ...options }: ListAllOptions) {
    this.#list = list;
    this.#first = { ...options, limit: pageSize };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }

  /** One page after another. A page is a list of its own, with the version it was read at. */
  async *pages(): AsyncGenerator<ResourceList<T>, void, undefined> {
    const continuation = new Continuation();
    let page = await this.#list(this.#first);
    let next = continuation.after(page);
    yield page;
    while (next !== undefined) {
      page = await this.#nextOrLater(next);
      next = continuation.after(page);
      yield page;
    }
  }

  /** Everything as one list, at the version of the first page: right to watch from. */
  async toList(): Promise<ResourceList<T>> {
    const continuation = new Continuation(MOST_KEPT_OBJECTS);
    const first = await this.#list(this.#first);
    const items = [...first.items];
    let next = continuation.after(first);
    while (next !== undefined) {
      let page: ResourceList<T>;
      try {
        page = await this.#next(next);
      } catch (error) {
        if (!isExpired(error)) throw error;
        const { limit: _, ...everything } = this.#first;
        return await this.#list(everything);
      }
      for (const item of page.items) items.push(item);
      next = continuation.after(page);
    }
    const { continue: _, remainingItemCount: __, ...metadata } = first.metadata;
    return { ...first, metadata, items };
  }

  /** Servers refuse a version beside a continue token, which has one in it. */
  #next(continueToken: string): Promise<ResourceList<T>> {
    const { resourceVersion: _, resourceVersionMatch: __, ...options } = this.#first;
    return this.#list({ ...options, continue: continueToken });
  }

  /** The server that says that a token is too old gives one for the same place in today's objects. */
  async #nextOrLater(continueToken: string): Promise<ResourceList<T>> {
    try {
      return await this.#next(continueToken);
    } catch (error) {
      const later = apiErrorOf(error)?.status.metadata?.continue ?? '';
      if (!isExpired(error) || later === '') throw error;
      return await this.#next(later);
    }
  }
}
