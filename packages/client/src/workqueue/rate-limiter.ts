/** Decides how long an item waits before it is tried again. */
export interface RateLimiter<T> {
  /** The milliseconds to wait now. Asking counts as a failure of the item, and may use a token up. */
  when(item: T): number;
  /** Stops counting failures of the item: it succeeded, or is given up. */
  forget(item: T): void;
  /** How many failures were counted. */
  numRequeues(item: T): number;
}
