import { describeError, type Logger } from './logger.ts';
import { isThenable } from './thenable.ts';

/**
 * Wraps a user callback: if it throws or its promise rejects, a warning is logged and nothing else
 * happens. `name` is its name in the warning: `onError of the workers`.
 */
export function guardCallback<A extends readonly unknown[]>(
  name: string,
  callback: ((...values: A) => unknown) | undefined,
  logger: Logger,
): (...values: A) => void {
  if (callback === undefined) return () => undefined;
  const report = (error: unknown): void =>
    logger.warn(`the callback ${name} failed: ${describeError(error)}`, {
      event: 'callback.failed',
      callback: name,
    });
  return (...values) => {
    try {
      const result = callback(...values);
      if (isThenable(result)) result.then(undefined, report);
    } catch (error) {
      report(error);
    }
  };
}
