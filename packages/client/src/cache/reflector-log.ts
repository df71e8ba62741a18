import type { Clock, ScheduledCall } from '../lib/clock.ts';
import { describeError, type Logger, TroubleReporter } from '../lib/logger.ts';

/** A watch that lasts this long ends the trouble before it; one that breaks sooner is part of it. */
const steadyMs = 10_000;

/** Options of {@link ReflectorLog}. */
export interface ReflectorLogOptions {
  readonly name: string;
  /** Host and port; empty if unknown. */
  readonly server: string;
  readonly logger: Logger;
  readonly clock: Pick<Clock, 'monotonic' | 'schedule'>;
}

/** A list or watch that failed. */
export interface LoggedFailure {
  readonly verb: 'list' | 'watch';
  readonly error: unknown;
  /** A failure of another kind is a new trouble. */
  readonly kind: string;
  /** True if it is trouble even if the next attempt follows without back-off. */
  readonly isReported?: boolean;
}

/**
 * Logs trouble of a reflector with its server: one warning when it first waits because of a failure,
 * and one when a watch has lasted. A watch that is resumed without waiting is not trouble.
 */
export class ReflectorLog {
  readonly #options: ReflectorLogOptions;
  readonly #trouble: TroubleReporter;
  #startedAt = 0;
  #failure: LoggedFailure | undefined;
  #steady: ScheduledCall | undefined;

  constructor(options: ReflectorLogOptions) {
    this.#options = options;
    const { name: informer, server } = options;
    this.#trouble = new TroubleReporter(options.logger, {
      start: 'informer.blocked',
      end: 'informer.recovered',
      fields: { informer, server },
    });
  }

  /** Notes the failure before the next wait. */
  failed(failure: LoggedFailure): void {
    this.#failure = failure;
  }

  /** Called before a wait of `delayMs`. */
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

  /** Called before a watch is resumed without back-off: trouble only if it was reported. */
  pausing(delayMs: number): void {
    if (this.#failure?.isReported === true) this.waiting(delayMs);
  }

  /** Called when a watch has started. */
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

  /** Called when the watch has ended. */
  ended(): void {
    this.#steady?.cancel();
  }
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
