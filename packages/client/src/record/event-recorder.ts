import type { Event, EventSource, ObjectReference } from '../api/core/v1.ts';
import type { Clock } from '../lib/clock.ts';
import { formatTime } from '../meta/time.ts';
import type { EventNames } from './event-names.ts';
import { RecordError } from './record-error.ts';
import { type EventSubject, referenceTo } from './reference.ts';

/** `Warning` is for what somebody should look at. */
export type EventType = 'Normal' | 'Warning';

/** What else can be said of an event. */
export interface EventOptions {
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Records what happens to objects, on behalf of one source. */
export interface EventRecorder {
  /**
   * Tells that something happened to an object. It returns at once, never throws, and what becomes
   * of the event is told in the statistics and to `onError` of the broadcaster.
   *
   * `reason` is short, in UpperCamelCase, and for programs: it says why in one word, always the
   * same. `message` is for people. An object outside of namespaces has its events in `default`.
   */
  event(
    object: EventSubject,
    type: EventType,
    reason: string,
    message: string,
    options?: EventOptions,
  ): void;
}

/** What recorders of both APIs work with. */
export interface RecorderContext<E> {
  readonly clock: Pick<Clock, 'now'>;
  readonly names: EventNames;
  readonly publish: (event: E) => void;
  readonly onError: (error: RecordError) => void;
}

/** The namespace of the events about objects that are in none. */
const namespaceForClusterObjects = 'default';

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
    const involvedObject = tryReference(object, onError);
    if (involvedObject === undefined || !isEventType(type, onError)) return;
    const time = formatTime(clock.now());
    const { component, host } = this.#source;
    publish({
      metadata: {
        ...eventPlace(involvedObject, this.#context.names),
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

/** The name and namespace of an event about an object. */
export function eventPlace(
  { name = '', namespace = '' }: ObjectReference,
  names: EventNames,
): { readonly name: string; readonly namespace: string } {
  return { name: names.next(name), namespace: namespace || namespaceForClusterObjects };
}

/** False, and reported, for types that there are not. */
export function isEventType(
  type: string,
  onError: (error: RecordError) => void,
): type is EventType {
  if (type === 'Normal' || type === 'Warning') return true;
  onError(new RecordError('RECORD_TYPE_INVALID', `there are no events of type ${type}`));
  return false;
}

/** The reference to an object; undefined, and reported, if it does not say what it is. */
export function tryReference(
  object: EventSubject,
  onError: (error: RecordError) => void,
): ObjectReference | undefined {
  try {
    return referenceTo(object);
  } catch (error) {
    const message = 'the event is about nothing that can be referred to';
    onError(
      error instanceof RecordError
        ? error
        : new RecordError('RECORD_REFERENCE_INVALID', message, { cause: error }),
    );
    return undefined;
  }
}
