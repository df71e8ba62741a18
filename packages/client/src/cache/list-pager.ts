import { checkNumber } from '../lib/option-error.ts';
import { collectPages, DEFAULT_PAGE_SIZE } from '../rest/pager.ts';
import { CacheError } from './cache-error.ts';
import type { ListerWatcher, ListRequest } from './list-watch.ts';

/** Options of {@link ListPager}. */
export interface ListPagerOptions {
  /** Objects per request; 0 requests everything in one. Default 500. */
  readonly pageSize?: number | undefined;
  /**
   * Whether to start over with one request for everything when the server no longer has the version
   * of the first page. Default true.
   */
  readonly fullListIfExpired?: boolean | undefined;
}

/** A whole list. */
export interface PagedAnswer<T> {
  readonly items: readonly T[];
  /** The version of the first page, which the whole list is at. */
  readonly resourceVersion: string;
  /** True if the server answered the first request with a part of the list. */
  readonly isPaginated: boolean;
}

/**
 * Reads a list page by page, all at the version of the first page. Later pages are requested without
 * a version: the continue token contains it, and servers refuse both together.
 * Continue tokens that lead nowhere end it with `REST_LIST_ENDLESS`.
 */
export class ListPager<T> {
  readonly #list: ListerWatcher<T>['list'];
  readonly #pageSize: number;
  readonly #fullListIfExpired: boolean;

  constructor(
    lister: Pick<ListerWatcher<T>, 'list'>,
    { pageSize = DEFAULT_PAGE_SIZE, fullListIfExpired = true }: ListPagerOptions = {},
  ) {
    checkNumber('pageSize', pageSize, 'countOrNone');
    this.#list = async (request) => {
      const answer = await lister.list(request);
      if (Array.isArray(answer.items)) return answer;
      const { kind } = answer as { readonly kind?: unknown };
      throw new CacheError(
        'CACHE_LIST_INVALID',
        `a list answer of kind ${String(kind)} has no items`,
      );
    };
    this.#pageSize = pageSize;
    this.#fullListIfExpired = fullListIfExpired;
  }

  /** Rejects with the reason of the signal if it aborts between two pages. */
  async list(request: Omit<ListRequest, 'continue' | 'limit'> = {}): Promise<PagedAnswer<T>> {
    const { items, first, isPaginated } = await collectPages(this.#list, request, {
      pageSize: this.#pageSize,
      fullListIfExpired: this.#fullListIfExpired,
    });
    return { items, resourceVersion: first.metadata?.resourceVersion ?? '', isPaginated };
  }
}
