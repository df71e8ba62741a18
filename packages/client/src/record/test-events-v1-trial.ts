import type { Event } from '../api/events/v1.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { seededRandom } from '../lib/random.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import {
  EventsV1Broadcaster,
  type EventsV1BroadcasterOptions,
  type EventsV1Recorder,
  type EventV1Details,
} from './events-v1-broadcaster.ts';
import type { RecordError } from './record-error.ts';
import type { EventSubject } from './reference.ts';
import { podReference } from './test-events.ts';
import { MemoryEventsV1Sink } from './test-sinks.ts';

const details: EventV1Details = {
  type: 'Normal',
  reason: 'Scheduled',
  action: 'Binding',
  note: 'assigned',
};

/** A broadcaster of the newer API that writes into memory, on a clock that the test moves. */
export class EventsV1Trial {
  readonly clock: VirtualClock = new VirtualClock();
  readonly sink: MemoryEventsV1Sink = new MemoryEventsV1Sink();
  readonly errors: RecordError[] = [];
  readonly broadcaster: EventsV1Broadcaster;
  readonly recorder: EventsV1Recorder;

  constructor(options: EventsV1BroadcasterOptions = {}) {
    this.broadcaster = new EventsV1Broadcaster({
      clock: this.clock,
      random: seededRandom(1),
      onError: (error) => this.errors.push(error),
      ...options,
    });
    this.broadcaster.startRecordingToSink(this.sink);
    this.recorder = this.broadcaster.newRecorder({ reportingController: 'example.com/c1' });
  }

  /** Records an event, and lets it be written. */
  async record(
    parts: Partial<EventV1Details> = {},
    object: EventSubject = podReference,
  ): Promise<void> {
    this.recorder.event(object, { ...details, ...parts });
    await nextTurn();
  }

  /** What the server has. */
  get stored(): Event[] {
    return [...this.sink.stored.values()];
  }

  /** How long the series are that the server knows of. */
  get counts(): (number | undefined)[] {
    return this.stored.map(({ series }) => series?.count);
  }
}
