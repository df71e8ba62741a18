import type { GroupVersionResource } from '../meta/resource.ts';

/** What a write does. A POST to a subresource, such as an eviction, is a `create` with a name. */
export type WriteVerb = 'apply' | 'create' | 'delete' | 'deletecollection' | 'patch' | 'update';

/** A write that is about to be sent. */
export interface ObservedWrite {
  readonly verb: WriteVerb;
  readonly resource: GroupVersionResource;
  /** Empty for cluster-scoped objects, and for collections of all namespaces. */
  readonly namespace: string;
  /** Undefined for collections, and for creations whose name the server chooses. */
  readonly name: string | undefined;
  /** `status`, `scale`, `eviction`; empty for the object itself. */
  readonly subresource: string;
  /** The object, the patch or the options of a deletion, unless it was given as bytes. */
  readonly body: object | undefined;
  /** The signal of the caller. */
  readonly signal: AbortSignal | undefined;
}

/** The answer to a write. */
export interface WriteAnswer {
  /** Undefined if the server sent none. */
  readonly contentType: string | undefined;
  /** Returns the bytes of the body. They are the caller's too: copy what is read later. */
  raw(): Uint8Array;
  /**
   * Returns the object of the last {@link WriteAnswer.peek}, which is handed out once, and else decodes
   * the body: no two calls return the same object.
   */
  into<T extends object>(): T;
  /**
   * Returns the object that the next call of {@link WriteAnswer.into} returns, mostly that of the caller
   * of the write: it is decoded once for both. Read it before the observer returns, and change nothing.
   */
  peek<T extends object>(): T;
}

/** What became of a write. */
export type WriteOutcome =
  /** The server has done it. */
  | { readonly type: 'accepted'; readonly result: WriteAnswer }
  /** The server has not done it: it was refused, or never sent. */
  | { readonly type: 'refused'; readonly error: unknown }
  /** The server may have done it: the answer was lost, was unreadable, or was a 5xx. */
  | { readonly type: 'unknown'; readonly error: unknown };

/**
 * Observes the writes of a client. It is called before a write is sent, and returns a function for the
 * outcome; the caller's promise settles when the promise of that function has. Dry runs, and
 * subresources that change no object (`token`, `proxy`, `exec`), are not observed. Errors of an
 * observer are logged and have no other effect.
 */
export type WriteObserver = (
  write: ObservedWrite,
) => ((outcome: WriteOutcome) => Promise<void> | void) | void;
