/** What every error of this library accepts besides its message. */
export interface ClientErrorOptions {
  /** The error that led to this one. It is kept as it is, so that nothing is lost on the way up. */
  readonly cause?: unknown;
  /** What the reader can do about it, as one sentence. */
  readonly hint?: string;
}

const brand: unique symbol = Symbol.for('client-ts.ClientError');

/**
 * The base of every error that this library throws on purpose. `code` is stable: programs may
 * branch on it, while messages may change. `instanceof` holds across copies of the package, so a
 * duplicate install does not silently turn error handling off.
 */
export class ClientError extends Error {
  /** Stable and in capitals: `API_NOT_FOUND`. */
  readonly code: string;
  /** What the reader can do about it, if anything general can be said. */
  readonly hint: string | undefined;

  constructor(code: string, message: string, { cause, hint }: ClientErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.hint = hint;
  }

  static {
    brandInstances(this.prototype, 'ClientError', brand);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(this, ClientError, brand, value);
  }
}

/**
 * Gives the errors of a class their name, already in the first line of the stack, and a mark by
 * which {@link isBranded} knows them. The mark must come from `Symbol.for`.
 */
export function brandInstances(prototype: Error, name: string, mark: symbol): void {
  Object.defineProperties(prototype, {
    name: { value: name, configurable: true, writable: true },
    [mark]: { value: true },
  });
}

/**
 * Answers `instanceof` for a class whose instances carry `mark` on their prototype. A subclass that
 * brings no mark of its own inherits the static method and must not answer for its whole family:
 * it gets the ordinary test.
 */
export function isBranded(asked: object, owner: object, mark: symbol, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return asked === owner
    ? Reflect.get(value, mark) === true
    : Function.prototype[Symbol.hasInstance].call(asked, value);
}

/**
 * Every error reachable from `error` through `cause` and `AggregateError.errors`, outermost first.
 * Each is visited once, even in a cycle.
 */
export function* errorChain(error: unknown): Generator<unknown, void, undefined> {
  const seen = new Set<unknown>();
  const pending: unknown[] = [error];
  while (pending.length > 0) {
    const next = pending.pop();
    if (next === undefined || next === null || seen.has(next)) continue;
    seen.add(next);
    yield next;
    if (!(next instanceof Error)) continue;
    if (next instanceof AggregateError) pending.push(...next.errors.toReversed());
    pending.push(next.cause);
  }
}
