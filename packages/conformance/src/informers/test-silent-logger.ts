import type { Logger } from 'client-ts/internal';

/** For tests that cause failures on purpose. */
export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
