import { constants } from 'node:os';

/** Options of {@link shutdownSignal}. */
export interface ShutdownSignalOptions {
  /** Default: SIGINT and SIGTERM. */
  readonly signals?: readonly NodeJS.Signals[] | undefined;
}

/**
 * Returns a signal that aborts on the first SIGINT or SIGTERM, for `manager.run({ signal })`. The
 * second one exits immediately, with the status that shells expect (128 and the number of the
 * signal). Call it once, at the start of a program; controller-runtime's `SetupSignalHandler`.
 */
export function shutdownSignal({
  signals = ['SIGINT', 'SIGTERM'],
}: ShutdownSignalOptions = {}): AbortSignal {
  const controller = new AbortController();
  for (const name of signals) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(128 + constants.signals[name]);
      controller.abort(new DOMException(`the process received ${name}`, 'AbortError'));
    });
  }
  return controller.signal;
}
