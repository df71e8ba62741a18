import { seededRandom } from '../lib/random.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { EventBroadcaster, type EventBroadcasterOptions } from './event-broadcaster.ts';
import type { EventRecorder } from './event-recorder.ts';
import type { RecordError } from './record-error.ts';
import { podReference } from './test-events.ts';
import { MemoryEventSink } from './test-sinks.ts';

/** A broadcaster and a sink in memory, on a clock that the test moves. */
export class Trial {
  readonly clock: VirtualClock = new VirtualClock();
  readonly sink: MemoryEventSink = new MemoryEventSink();
  readonly errors: RecordError[] = [];
  readonly broadcaster: EventBroadcaster;
  readonly recorder: EventRecorder;

  constructor(options: EventBroadcasterOptions = {}) {
    this.broadcaster = new EventBroadcaster({
      clock: this.clock,
      random: seededRandom(1),
      onError: (error) => this.errors.push(error),
      ...options,
    });
    this.recorder = this.broadcaster.newRecorder({ component: 'eventTest' });
  }

  /** Records an event for each message. */
  record(...messages: string[]): void {
    for (const message of messages) {
      this.recorder.event(podReference, 'Normal', 'Started', message);
    }
  }

  /** The messages that are stored. */
  get written(): (string | undefined)[] {
    return [...this.sink.stored.values()].map(({ message }) => message);
  }

  /** What went wrong. */
  get codes(): string[] {
    return this.errors.map(({ code }) => code);
  }
}
