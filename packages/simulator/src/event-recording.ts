import type { Clock } from 'client-ts/internal';
import type { Clientset } from 'client-ts/kubernetes';
import {
  coreV1Sink,
  EventBroadcaster,
  type EventRecorder,
  EventsV1Broadcaster,
  eventsV1Sink,
} from 'client-ts/record';

import type { Recorders } from './cluster.ts';

/** Options of {@link EventRecording}. */
export interface EventRecordingOptions {
  readonly client: Clientset;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  /** False: events go nowhere. */
  readonly isWritten: boolean;
}

/** Records the events of the simulation, each with the API that its real counterpart uses. */
export class EventRecording implements AsyncDisposable {
  readonly recorders: Recorders;
  readonly #legacy: EventBroadcaster;
  readonly #current: EventsV1Broadcaster;

  constructor({ client, clock, onError, isWritten }: EventRecordingOptions) {
    this.#legacy = new EventBroadcaster({ clock, onError });
    this.#current = new EventsV1Broadcaster({ clock, onError });
    if (isWritten) {
      this.#legacy.startRecordingToSink(coreV1Sink(client));
      this.#current.startRecordingToSink(eventsV1Sink(client));
    }
    const known = new Map<string, EventRecorder>();
    this.recorders = {
      of: (component, host) => {
        const name = `${component} ${host}`;
        const source = { component, ...(host !== undefined && { host }) };
        const recorder = known.get(name) ?? this.#legacy.newRecorder(source);
        known.set(name, recorder);
        return recorder;
      },
      scheduler: this.#current.newRecorder({ reportingController: 'default-scheduler' }),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#legacy.shutdown(), this.#current.shutdown()]);
  }
}
