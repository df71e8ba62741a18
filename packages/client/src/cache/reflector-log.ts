import type { Clock, ScheduledCall } from '../lib/clock.ts';
import { describeError, type Logger, TroubleReporter } from '../lib/logger.ts';

/** A watch that lasts this long ends the trouble before it. One that breaks sooner is part of it. */
const steadyMs = 10_000;

/** What a {@link ReflectorLog} writes about, and where. */
export interface ReflectorLogOptions {
  readonly name: string;
  /** Host and port; empty if they are not known. */
  readonly server: string;
  readonly logger: Logger;
  readonly clock: Pick<Clock, 'monotonic' | 'schedule'>;
}

/** A list or watch that failed. */
export interface LoggedFailure {
  readonly verb: 'list' | 'watch';
  readonly error: unknown;
  /** Tells one trouble from another. */
  readonly kind: string;
  /** True if it is trouble even where the next attempt follows without a back-off. */
  readonly isReported?: boolean;
}

/**
 * Logs the trouble of a reflector with its server: one warning when it begins to wait because of a
 * failure, and one when a watch has lasted. Watches that are resumed without a wait are no trouble.
 */
export class ReflectorLog {
  readonly #options: ReflectorLogOptions;
  readonly #trouble: TroubleReporter;
  #startedAt = 0;
  #failure: LoggedFailure | undefined;
  #steady: ScheduledCall | undefined;

  constructor(options: ReflectorLogOptions) {
    this.#options = options;
    this.#trouble = new TroubleReporter(options.logger);
  }

  /** Notes why the next wait is made. */
  failed(failure: LoggedFailure): void {
    this.#failure = failure;
  }

  /** The next attempt is made after so long. */
  waiting(delayMs: number): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure === undefined) return;
    const { name, server, clock } = this.#options;
    if (!this.#trouble.isOpen) this.#startedAt = clock.monotonic();
    const from = server === '' ? '' : ` from ${server}`;
    const attempt = `next attempt in ${seconds(delayMs)}`;
    this.#trouble.start(
      `informer "${name}" cannot ${failure.verb}${from}, ${attempt}: ${describeError(failure.error)}`,
      failure.kind,
    );
  }

  /** A watch is resumed after so long, without a back-off: trouble only if that was reported. */
  pausing(delayMs: number): void {
    if (this.#failure?.isReported === true) this.waiting(delayMs);
  }

  /** A watch has begun. */
  live(): void {
    this.#failure = undefined;
    this.#steady?.cancel();
    if (!this.#trouble.isOpen) return;
    const { name, server, clock } = this.#options;
    this.#steady = clock.schedule(
      steadyMs,
      () => {
        const lasted = seconds(clock.monotonic() - steadyMs - this.#startedAt);
        this.#trouble.end(
          `informer "${name}" follows ${server === '' ? 'its server' : server} again, after ${lasted}`,
        );
      },
      { background: true },
    );
  }

  /** The watch is over. */
  ended(): void {
    this.#steady?.cancel();
  }
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
