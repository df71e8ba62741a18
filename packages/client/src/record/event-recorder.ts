import type { Event, EventSource, ObjectReference } from '../api/core/v1.ts';
import type { Clock } from '../lib/clock.ts';
import type { Random } from '../lib/random.ts';
import { validateDns1123Subdomain } from '../meta/names.ts';
import { formatTime } from '../meta/time.ts';
import { type RecordedEvent, recordedEvents } from './diagnostics.ts';
import { RecordError } from './record-error.ts';
import { type EventSubject, getReference } from './reference.ts';

/** The type of an event. `Warning` is for events that need attention. */
export type EventType = 'Normal' | 'Warning';

/** Options of a recorded event. */
export interface EventOptions {
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** Records events about objects for one source. */
export interface EventRecorder {
  /**
   * Records an event about an object. Returns immediately and never throws: lost events are reported
   * to `onError` of the broadcaster and counted in its statistics.
   *
   * `reason` is a short constant in UpperCamelCase for programs, `message` is for people. Events
   * about cluster-scoped objects are stored in the namespace `default`.
   */
  event(
    object: EventSubject,
    type: EventType,
    reason: string,
    message: string,
    options?: EventOptions,
  ): void;
}

const NANOS_PER_MILLI = 1_000_000;

/**
 * Generates names of events: the name of the object, a dot and the time in nanoseconds in
 * hexadecimal. The digits below a millisecond are random, and no name is generated twice: the server
 * would reject the second event.
 */
export class EventNames {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #random: Random;
  #last = 0n;

  constructor({ clock, random }: { readonly clock: Pick<Clock, 'now'>; readonly random: Random }) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Returns a name for an event about an object; a UUID if the object's name cannot be part of it. */
  next(objectName: string): string {
    const millis = BigInt(Math.floor(this.#clock.now())) * BigInt(NANOS_PER_MILLI);
    const nanos = millis + BigInt(Math.floor(this.#random.next() * NANOS_PER_MILLI));
    this.#last = nanos > this.#last ? nanos : this.#last + 1n;
    const name = `${objectName}.${this.#last.toString(16)}`;
    return validateDns1123Subdomain(name).length === 0 ? name : this.#random.uuid();
  }
}

/** The part of a broadcaster that recorders of both APIs use. */
export interface RecorderContext<E> {
  readonly clock: Pick<Clock, 'now'>;
  readonly names: EventNames;
  readonly publish: (event: E) => void;
  readonly onError: (error: RecordError) => void;
}

/** The namespace of events about cluster-scoped objects. */
const CLUSTER_EVENT_NAMESPACE = 'default';

/** Records events of `core/v1`. */
export class CoreV1Recorder implements EventRecorder {
  readonly #source: EventSource;
  readonly #context: RecorderContext<Event>;

  constructor(source: EventSource, context: RecorderContext<Event>) {
    this.#source = { ...source };
    this.#context = context;
  }

  event(
    object: EventSubject,
    type: EventType,
    reason: string,
    message: string,
    { annotations }: EventOptions = {},
  ): void {
    const { clock, onError, publish } = this.#context;
    const involvedObject = tryGetReference(object, onError);
    if (involvedObject === undefined || !isEventType(type, onError)) return;
    const time = formatTime(clock.now());
    const { component, host } = this.#source;
    noteEvent(involvedObject, { type, reason, note: message, component: component ?? '' });
    publish({
      metadata: {
        ...eventKeyFor(involvedObject, this.#context.names),
        ...(annotations !== undefined && { annotations: { ...annotations } }),
      },
      involvedObject,
      reason,
      message,
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
      type,
      source: this.#source,
      ...(component !== undefined && { reportingComponent: component }),
      ...(host !== undefined && { reportingInstance: host }),
    });
  }
}

/** Publishes an event for diagnostics, if anything listens. */
export function noteEvent(
  { kind = '', namespace = '', name = '' }: ObjectReference,
  details: Pick<RecordedEvent, 'component' | 'note' | 'reason' | 'type'>,
): void {
  if (!recordedEvents.hasSubscribers) return;
  recordedEvents.publish({ ...details, kind, namespace, name });
}

/** Returns the name and namespace for an event about an object. */
export function eventKeyFor(
  { name = '', namespace = '' }: ObjectReference,
  names: EventNames,
): { readonly name: string; readonly namespace: string } {
  return { name: names.next(name), namespace: namespace || CLUSTER_EVENT_NAMESPACE };
}

/** Returns true for `Normal` and `Warning`; reports other types. */
export function isEventType(
  type: string,
  onError: (error: RecordError) => void,
): type is EventType {
  if (type === 'Normal' || type === 'Warning') return true;
  onError(new RecordError('RECORD_TYPE_INVALID', `event type "${type}" is invalid`));
  return false;
}

/** Returns the reference to an object; undefined, after reporting it, if it has no kind. */
export function tryGetReference(
  object: EventSubject,
  onError: (error: RecordError) => void,
): ObjectReference | undefined {
  try {
    return getReference(object);
  } catch (error) {
    const message = 'the object of the event cannot be referenced';
    onError(
      error instanceof RecordError
        ? error
        : new RecordError('RECORD_REFERENCE_INVALID', message, { cause: error }),
    );
    return undefined;
  }
}
