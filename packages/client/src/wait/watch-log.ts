import { describeError, type Logger, loggerOf, TroubleReporter } from '../lib/logger.ts';

/** What a client says about itself, if it is one of this library's. */
interface Described {
  readonly logger?: Logger | undefined;
  /** Host and port. */
  readonly server?: string | undefined;
  readonly descriptor?: { readonly resource: string };
}

/** Logs the trouble of a watch that is retried: a warning when it starts and one when it is over. */
export class WatchLog {
  readonly #trouble: TroubleReporter;
  readonly #what: string;

  constructor(client: object, logger: Logger | undefined) {
    const { logger: inherited, server = '', descriptor }: Described = client;
    this.#trouble = new TroubleReporter(loggerOf(logger ?? inherited));
    const from = server === '' ? '' : ` from ${server}`;
    this.#what = `the watch of ${descriptor?.resource ?? 'objects'}${from}`;
  }

  failed(error: unknown, delayMs: number): void {
    const attempt = `next attempt in ${(delayMs / 1000).toFixed(1)} s`;
    this.#trouble.start(`${this.#what} fails, ${attempt}: ${describeError(error)}`);
  }

  recovered(): void {
    this.#trouble.end(`${this.#what} works again`);
  }
}
