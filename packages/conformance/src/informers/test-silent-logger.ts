import type { Logger } from 'client-ts/internal';

/** For tests whose trouble is made on purpose. */
export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
