/**
 * Whether a call can be retried.
 *
 * - `never`: the same call fails again until the call, the config or the server is changed.
 * - `later`: a retry may succeed and is safe: nothing has taken effect.
 * - `unsafe`: a retry may succeed, but this attempt may have taken effect. Retry reads and
 *   idempotent writes.
 */
export type Retry = 'later' | 'never' | 'unsafe';

/** The catalogue entry of an error code. */
export interface ErrorEntry {
  readonly retry: Retry;
  /** When it happens, as a sentence, if the code does not say it. */
  readonly when?: string;
  /** How to fix it, as a sentence. */
  readonly hint?: string | undefined;
}

/** The codes of an error class. Codes are stable: programs may branch on them. */
export type ErrorCatalogue = Readonly<Record<string, ErrorEntry>>;

/** Options of every error of this library. */
export interface ClientErrorOptions {
  /** The error that caused this one, unchanged. */
  readonly cause?: unknown;
  /** How to fix it, as one sentence. Default: that of the catalogue. */
  readonly hint?: string | undefined;
  /** Default: that of the catalogue. */
  readonly retry?: Retry | undefined;
}

/** A class whose instances are errors, whatever its constructor takes. */
interface ErrorClass {
  readonly prototype: Error;
}

/** The keys of the mark of a class and of its catalogue. */
const markKey: unique symbol = Symbol.for('client-ts.mark');
const catalogueKey: unique symbol = Symbol.for('client-ts.catalogue');

/**
 * The base of every error that this library throws on purpose. `code` is stable: programs may
 * branch on it, while messages may change. `instanceof` works across copies of the package for this
 * class and all that are made with {@link defineErrors}, so that a duplicate install does not break
 * error handling.
 */
export class ClientError extends Error {
  /** Stable, in upper case: `API_NOT_FOUND`. */
  readonly code: string;
  /** How to fix it, if there is general advice. */
  readonly hint: string | undefined;
  /** Whether the call can be retried. */
  readonly retry: Retry;

  constructor(code: string, message: string, options: ClientErrorOptions = {}) {
    const { cause } = options;
    super(message, cause === undefined ? undefined : { cause });
    const entry = Object.getOwnPropertyDescriptor(catalogueIn(this), code)?.value as
      | ErrorEntry
      | undefined;
    this.code = code;
    this.hint = options.hint ?? readOnlyHint(cause) ?? entry?.hint;
    this.retry = options.retry ?? entry?.retry ?? 'never';
  }

  static {
    defineErrors(this, 'ClientError');
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    // Subclasses without `defineErrors` inherit this method and use the ordinary test.
    const mark: unknown = Object.hasOwn(this, markKey) ? Reflect.get(this, markKey) : undefined;
    if (typeof mark !== 'symbol') return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === 'object' && value !== null && Reflect.get(value, mark) === true;
  }
}

/** A catalogue of which every code begins with the prefix of its module. */
type PrefixedCodes<Prefix extends string, Codes> = {
  readonly [Code in keyof Codes]: Code extends `${Prefix}_${string}` ? ErrorEntry : never;
};

/**
 * Defines an error class: its name (also in the first line of the stack), the prefix and the
 * catalogue of its codes, and a mark by which `instanceof` recognises its instances across copies
 * of the package. Call it in the static block of the class. A code without the prefix is a compile
 * error. A subclass without codes of its own inherits those of its parent.
 *
 * ```ts
 * class DoorError extends ClientError {
 *   static {
 *     defineErrors(this, 'DoorError', 'DOOR', { DOOR_LOCKED: { retry: 'never', hint: 'Unlock it.' } });
 *   }
 * }
 * ```
 */
export function defineErrors(errorClass: ErrorClass, name: string): void;
export function defineErrors<const Prefix extends string, Codes extends ErrorCatalogue>(
  errorClass: ErrorClass,
  name: string,
  prefix: Prefix,
  catalogue: Codes & PrefixedCodes<Prefix, Codes>,
): void;
export function defineErrors(
  errorClass: ErrorClass,
  name: string,
  _prefix?: string,
  catalogue?: ErrorCatalogue,
): void {
  const mark = Symbol.for(`client-ts.${name}`);
  Object.defineProperty(errorClass, markKey, { value: mark });
  Object.defineProperties(errorClass.prototype, {
    name: { value: name, configurable: true, writable: true },
    [mark]: { value: true },
    ...(catalogue !== undefined && { [catalogueKey]: { value: catalogue } }),
  });
}

/** V8's messages for a write to a frozen object. */
const FROZEN =
  /^Cannot (?:assign to read only|add|delete|define|redefine) property|object is not extensible$/;

/**
 * Returns a hint for an error of a program that wrote to a frozen object, which in callbacks of
 * this library comes from a cache.
 */
function readOnlyHint(cause: unknown): string | undefined {
  return cause instanceof TypeError && FROZEN.test(cause.message)
    ? 'Cached objects are read-only: change a copy, mutableCopy(object) of client-ts.'
    : undefined;
}

/** Returns the codes of a class that was made with {@link defineErrors}. */
export function errorCatalogue(errorClass: ErrorClass): ErrorCatalogue {
  return catalogueIn(errorClass.prototype);
}

function catalogueIn(error: Error): ErrorCatalogue {
  const catalogue: unknown = Reflect.get(error, catalogueKey);
  return (catalogue ?? {}) as ErrorCatalogue;
}

/**
 * Returns whether a call that failed with this error can be retried. Searches wrapped errors for
 * the outermost one that decides: an error of this library by its `retry`, an error of the operating
 * system (`EPIPE`) is `unsafe`. Everything else is `unknown`, by default `never`: a bug does not go
 * away.
 */
export function retryOf(error: unknown, unknown: Retry = 'never'): Retry {
  for (const link of errorChain(error)) {
    if (link instanceof ClientError) return link.retry;
    if (link instanceof Error && /^E[A-Z]+$/.test(String(Reflect.get(link, 'code')))) {
      return 'unsafe';
    }
  }
  return unknown;
}

/** Returns the message of an error, or a thrown value as a string. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Iterates over every error reachable through `cause` and `AggregateError.errors`, outermost first.
 * Each is visited once, also in a cycle.
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
