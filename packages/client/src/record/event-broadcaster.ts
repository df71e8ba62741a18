import type { Event, EventSource } from '../api/core/v1.ts';
import { quoteGo } from '../lib/go-format.ts';
import {
  Broadcaster,
  type BroadcasterOptions,
  type ConsumerSignals,
  type EventConsumer,
  type EventWatcher,
} from './broadcaster.ts';
import {
  checkCorrelatorNumbers,
  type CorrelatorOptions,
  EventCorrelator,
  type EventCountPatch,
} from './event-correlator.ts';
import { CoreV1Recorder, EventNames, type EventRecorder } from './event-recorder.ts';
import { type EventSink, EventWriter } from './event-sink.ts';

/** Options of {@link EventBroadcaster}. */
export interface EventBroadcasterOptions extends BroadcasterOptions {
  /** How events are correlated before they are written. */
  readonly correlator?: CorrelatorOptions | undefined;
}

/**
 * Writes events of `core/v1` from recorders to the server, correlated by an
 * {@link EventCorrelator}. Create one per program.
 *
 * ```ts
 * await using broadcaster = new EventBroadcaster({ onError: (error) => console.error(error.message) });
 * broadcaster.startRecordingToSink(coreV1Sink(client));
 * const recorder = broadcaster.newRecorder({ component: 'my-controller' });
 * recorder.event(pod, 'Warning', 'BackOff', `back-off restarting failed container ${name}`);
 * ```
 *
 * Recording never waits and never throws. Each sink, log and handler has its own queue, so a slow one
 * loses only its own events. While the server is unreachable, an event is tried twelve times in about
 * two minutes; an event that the server rejects is not retried.
 */
export class EventBroadcaster extends Broadcaster<Event> {
  readonly #correlator: CorrelatorOptions;
  readonly #names: EventNames;

  constructor(options: EventBroadcasterOptions = {}) {
    super(options);
    this.#correlator = options.correlator ?? {};
    // Here, and not when the first sink is added.
    checkCorrelatorNumbers(this.#correlator);
    this.#names = new EventNames({ clock: this.clock, random: this.random });
  }

  /** Returns a recorder for one source: `component` is the program, `host` the machine. */
  newRecorder(source: EventSource): EventRecorder {
    return new CoreV1Recorder(source, {
      clock: this.clock,
      names: this.#names,
      publish: (event) => this.publish(event),
      onError: this.onError,
    });
  }

  /** Writes each event from now on to a sink, with its own correlator. */
  startRecordingToSink(sink: EventSink): EventWatcher {
    return this.startConsumer((signals) => this.#recordTo(sink, signals));
  }

  /** Calls `log` with a line of text for each event from now on. */
  startLogging(log: (line: string) => void): EventWatcher {
    return this.startEventWatcher((event) => log(eventLine(event)));
  }

  #recordTo(sink: EventSink, signals: ConsumerSignals): EventConsumer<Event> {
    const { clock, counters, maxTries, onError, random, retryDelayMs } = this;
    const correlator = new EventCorrelator({ clock, random, ...this.#correlator });
    const writer = new EventWriter<Event, EventCountPatch>({
      sink,
      clock,
      signals,
      maxTries,
      // The first delay is random, so that clients of a restarted server do not all retry together.
      delayAfter: (tries) => (tries === 1 ? retryDelayMs * random.next() : retryDelayMs),
      counters,
      onError,
    });
    return {
      handle: async (event) => {
        const result = correlator.eventCorrelate(event);
        if (result.isSkipped) {
          counters.condensed += 1;
          return;
        }
        const stored = await writer.write(result.event, result.patch);
        if (stored !== undefined) correlator.updateState(stored, result.key);
      },
    };
  }
}

function eventLine({ involvedObject, message = '', reason = '', type = '' }: Event): string {
  const { apiVersion = '', fieldPath = '', kind = '', name = '', namespace } = involvedObject;
  const fields = {
    object: namespace === undefined ? name : `${namespace}/${name}`,
    fieldPath,
    kind,
    apiVersion,
    type,
    reason,
    message,
  };
  const pairs = Object.entries(fields).map(([field, value]) => `${field}=${quoteGo(value)}`);
  return `Event occurred ${pairs.join(' ')}`;
}
