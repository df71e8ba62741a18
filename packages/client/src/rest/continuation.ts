import { RestError } from './rest-error.ts';

/** A page of a list, as far as its continuation matters. */
export interface ContinuedPage {
  readonly items: readonly unknown[];
  readonly metadata?: { readonly continue?: unknown } | undefined;
}

/** The most objects that a reader keeps which needs the whole list: more do not fit into a process. */
export const MOST_KEPT_OBJECTS = 5_000_000;

/** How many pages in a row may have no objects. Servers that filter late send a few such pages. */
const MOST_EMPTY_PAGES = 1000;

/**
 * Follows the continue tokens of one list and throws `REST_LIST_ENDLESS` where that would not end: at a
 * token that repeats, after many empty pages, and past `maxObjects` for a reader that keeps them
 * all. It needs the same memory for a list of any length.
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

  /** Returns the token to ask for the next page with; undefined after the last page. */
  after({ items, metadata }: ContinuedPage): string | undefined {
    const token = metadata?.continue ?? '';
    if (token === '') return undefined;
    if (typeof token !== 'string') throw endless(`a continue token of type ${typeof token}`);
    this.#objects += items.length;
    this.#emptyPages = items.length === 0 ? this.#emptyPages + 1 : 0;
    if (token === this.#token || token === this.#checkpoint) {
      throw endless('the same continue token again');
    }
    if (this.#emptyPages >= MOST_EMPTY_PAGES) throw endless(`${this.#emptyPages} empty pages`);
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
