/**
 * What another attempt at the same thing promises.
 *
 * - `never`: the same call fails again until a person changes the call, the configuration or the
 *   server. Waiting does not help.
 * - `later`: a later attempt may succeed and does no harm: nothing has taken effect.
 * - `unsafe`: a later attempt may succeed, but this one may have taken effect. Repeat reads, and
 *   writes that do the same when they are done twice.
 */
export type Retry = 'later' | 'never' | 'unsafe';

/** What is known about an error code. */
export interface ErrorEntry {
  readonly retry: Retry;
  /** When it happens, as a sentence. For codes whose name does not say it. */
  readonly when?: string;
  /** What the reader can do about it, as a sentence. */
  readonly hint?: string | undefined;
}

/** The codes of a class of errors. Codes are stable: programs may branch on them. */
export type ErrorCatalogue = Readonly<Record<string, ErrorEntry>>;

/** What every error of this library accepts besides its message. */
export interface ClientErrorOptions {
  /** The error that led to this one. It is kept as it is, so that nothing is lost on the way up. */
  readonly cause?: unknown;
  /** What the reader can do about it, as one sentence. Default: what the catalogue says. */
  readonly hint?: string | undefined;
  /** Default: what the catalogue says. */
  readonly retry?: Retry | undefined;
}

/** A class whose instances are errors, whatever its constructor takes. */
interface ErrorClass {
  readonly prototype: Error;
}

/** Where a class keeps its mark, and its prototype the catalogue. */
const markKey: unique symbol = Symbol.for('client-ts.mark');
const catalogueKey: unique symbol = Symbol.for('client-ts.catalogue');

/**
 * The base of every error that this library throws on purpose. `code` is stable: programs may
 * branch on it, while messages may change. `instanceof` holds across copies of the package, for
 * this class and for all that are made with {@link defineErrors}, so that a duplicate install does
 * not silently turn error handling off.
 */
export class ClientError extends Error {
  /** Stable and in capitals: `API_NOT_FOUND`. */
  readonly code: string;
  /** What the reader can do about it, if anything general can be said. */
  readonly hint: string | undefined;
  /** Whether another attempt can succeed, and whether it can do harm. */
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
    // A class that was not defined with `defineErrors` inherits this method and gets the usual test.
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

/** What V8 says of a write to a frozen object: it leaves no room for words of ours. */
const FROZEN =
  /^Cannot (?:assign to read only|add|delete|define|redefine) property|object is not extensible$/;

/**
 * Returns what to do about an error of the program that wrote to a frozen object, which in callbacks
 * of this library is one of a cache.
 */
function readOnlyHint(cause: unknown): string | undefined {
  return cause instanceof TypeError && FROZEN.test(cause.message)
    ? 'Objects of a cache are read-only: change a copy, mutableCopy(object) of client-ts.'
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
 * Returns what another attempt after this error promises. Looks through wrapped errors for the
 * outermost one that says so: an error of this library by its `retry`, an error of the operating
 * system (`EPIPE`) as `unsafe`. Everything else is taken for `unknown`: by default an error of the
 * program, which does not go away.
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

/** Returns the message of an error, or the value that was thrown instead of one as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
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
