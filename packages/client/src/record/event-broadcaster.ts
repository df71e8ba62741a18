import type { Event, EventSource } from '../api/core/v1.ts';
import { quoteGo } from '../lib/go-format.ts';
import { Broadcaster, type BroadcasterOptions } from './broadcaster.ts';
import {
  checkCorrelatorNumbers,
  type CorrelatorOptions,
  EventCorrelator,
} from './event-correlator.ts';
import type { EventCountPatch } from './event-counter.ts';
import { EventNames } from './event-names.ts';
import { CoreV1Recorder, type EventRecorder } from './event-recorder.ts';
import type { EventSink } from './event-sink.ts';
import type { EventConsumer, EventWatcher, Pace } from './event-watcher.ts';
import { EventWriter } from './event-writer.ts';

/** How an {@link EventBroadcaster} works. */
export interface EventBroadcasterOptions extends BroadcasterOptions {
  /** How events are put together before they are written. */
  readonly correlator?: CorrelatorOptions;
}

/**
 * Takes events of `core/v1` from recorders and writes them to the server, put together as
 * {@link EventCorrelator} says. Make one for each program.
 *
 * ```ts
 * await using broadcaster = new EventBroadcaster({ onError: (error) => console.error(error.message) });
 * broadcaster.startRecordingToSink(coreV1Sink(client));
 * const recorder = broadcaster.newRecorder({ component: 'my-controller' });
 * recorder.event(pod, 'Warning', 'BackOff', `back-off restarting failed container ${name}`);
 * ```
 *
 * Recording never waits and never throws. Each sink, log and handler has its own queue: one that is
 * slow loses its own events only. While the server is away events wait, and are tried twelve times
 * in about two minutes; what the server refuses is not tried again.
 */
export class EventBroadcaster extends Broadcaster<Event> {
  readonly #correlator: CorrelatorOptions;
  readonly #names: EventNames;

  constructor(options: EventBroadcasterOptions = {}) {
    super(options);
    this.#correlator = options.correlator ?? {};
    // Now, and not when the first sink is added.
    checkCorrelatorNumbers(this.#correlator);
    this.#names = new EventNames({ clock: this.clock, random: this.random });
  }

  /** A recorder for one source: `component` is the program, `host` where it runs. */
  newRecorder(source: EventSource): EventRecorder {
    return new CoreV1Recorder(source, {
      clock: this.clock,
      names: this.#names,
      publish: (event) => this.publish(event),
      onError: this.onError,
    });
  }

  /** Writes every event from now on to a sink, with memory of its own of what happened before. */
  startRecordingToSink(sink: EventSink): EventWatcher {
    return this.startConsumer((pace) => this.#recordTo(sink, pace));
  }

  /** Writes every event from now on as a line of text. */
  startLogging(log: (line: string) => void): EventWatcher {
    return this.startEventWatcher((event) => log(eventLine(event)));
  }

  #recordTo(sink: EventSink, pace: Pace): EventConsumer<Event> {
    const { clock, counters, maxTries, onError, random, retryDelayMs } = this;
    const correlator = new EventCorrelator(this.#correlator, { clock, random });
    const writer = new EventWriter<Event, EventCountPatch>({
      sink,
      clock,
      pace,
      maxTries,
      // Clients that lost the same server must not come back all at once.
      delayAfter: (tries) => (tries === 1 ? retryDelayMs * random.next() : retryDelayMs),
      counters,
      onError,
    });
    return {
      handle: async (event) => {
        const result = correlator.correlate(event);
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
