import { type Clock, isJsonObject, requestedDelayMs, systemClock } from 'client-ts/internal';
import type { CollectedEvent } from './collected-event.ts';
import { CollectorError } from './collector-error.ts';
import type { CollectorSink, Gap, Position, Rejection } from './collector-sink.ts';
import type { OtlpAnswer, OtlpTransport } from './otlp-client.ts';
import { logsOfEvents, logsOfGap, type OtlpAttributes, type OtlpLogs } from './otlp-logs.ts';

/** The events are invalid, or too large: the same request would be rejected again. */
const REJECTED: ReadonlySet<number> = new Set([400, 413, 422]);

/** Options of an {@link OtlpSink}. */
export interface OtlpSinkOptions {
  readonly transport: OtlpTransport;
  /** Default `otlp`. */
  readonly name?: string | undefined;
  /** Attributes of the resource of all records. `service.name` is `kubernetes-events` by default. */
  readonly resource?: OtlpAttributes | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Sends events as log records to a receiver of OTLP over HTTP: an OpenTelemetry collector, or a
 * backend. Every state of an event is a record, because logs are not updated.
 *
 * OTLP has no identity of records, so a batch whose answer was lost arrives twice; `log.record.uid`
 * is the same then. A batch that fails is sent again, not before the time of `Retry-After`, also after
 * statuses that only an administrator can fix (401, 404). Statuses 400, 413 and 422 reject events: the
 * batch is divided until those are found that the receiver does not accept.
 */
export class OtlpSink implements CollectorSink {
  readonly name: string;
  readonly #transport: OtlpTransport;
  readonly #resource: OtlpAttributes;
  readonly #clock: Clock;

  constructor({ transport, name = 'otlp', resource = {}, clock = systemClock }: OtlpSinkOptions) {
    this.name = name;
    this.#transport = transport;
    this.#resource = { 'service.name': 'kubernetes-events', ...resource };
    this.#clock = clock;
  }

  async write(
    batch: readonly CollectedEvent[],
    _position: Position | undefined,
  ): Promise<readonly Rejection[]> {
    if (batch.length === 0) return [];
    const answer = await this.#send(logsOfEvents(batch, this.#resource));
    if (answer.status >= 300) return await this.#divide(batch, answer);
    return rejectedPart(batch, answer.body);
  }

  async recordGap(gap: Gap): Promise<void> {
    const answer = await this.#send(logsOfGap(gap, this.#resource));
    if (answer.status >= 300) throw this.#failed(answer);
  }

  /** Closes the transport. */
  async close(): Promise<void> {
    await this.#transport.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Throws if the request should be repeated. */
  async #send(logs: OtlpLogs): Promise<OtlpAnswer> {
    const answer = await this.#transport.send(logs);
    const { status } = answer;
    const isAnswered = (status >= 200 && status < 300) || REJECTED.has(status);
    if (!isAnswered) throw this.#failed(answer);
    return answer;
  }

  /** The receiver rejects the request as a whole, without saying which event it does not like. */
  async #divide(
    batch: readonly CollectedEvent[],
    answer: OtlpAnswer,
  ): Promise<readonly Rejection[]> {
    const [only, ...others] = batch;
    if (only !== undefined && others.length === 0) {
      return [{ event: only, reason: `status ${answer.status}${reasonOf(answer.body)}` }];
    }
    const middle = Math.ceil(batch.length / 2);
    const first = await this.write(batch.slice(0, middle), undefined);
    return [...first, ...(await this.write(batch.slice(middle), undefined))];
  }

  #failed({ status, retryAfter, body }: OtlpAnswer): CollectorError {
    const message = `${this.name} answered ${status}${reasonOf(body)}`;
    const retryAfterMs = retryAfter === undefined ? undefined : this.#delayOf(retryAfter);
    return new CollectorError('COLLECTOR_OTLP_FAILED', message, { retryAfterMs });
  }

  /** Seconds, or a date. */
  #delayOf(retryAfter: string): number {
    const isSeconds = /^\d+$/.test(retryAfter);
    return requestedDelayMs(
      isSeconds ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - this.#clock.now(),
    );
  }
}

/**
 * A partial success must not be repeated, and does not say which records were rejected: all events of
 * the batch are kept as rejected, so that none is lost.
 */
function rejectedPart(batch: readonly CollectedEvent[], body: unknown): Rejection[] {
  const { partialSuccess } = objectOf(body);
  const { rejectedLogRecords, errorMessage } = objectOf(partialSuccess);
  const rejected = Number(rejectedLogRecords ?? 0);
  if (!(rejected > 0)) return [];
  const which = rejected < batch.length ? `${rejected} of these ${batch.length} records: ` : '';
  const reason = `${which}${typeof errorMessage === 'string' ? errorMessage : 'rejected'}`;
  return batch.map((event) => ({ event, reason }));
}

/** The message of a Status of Google's RPC, which receivers answer with. */
function reasonOf(body: unknown): string {
  const { message } = objectOf(body);
  return typeof message === 'string' && message !== '' ? `: ${message.slice(0, 300)}` : '';
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {};
}
