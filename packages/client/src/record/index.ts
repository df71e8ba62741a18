/**
 * Records Kubernetes events, with correlation as in client-go.
 *
 * @module
 */

export {
  Broadcaster,
  type BroadcasterOptions,
  type EventStatistics,
  type EventWatcher,
  type ShutdownOptions,
} from './broadcaster.ts';
export type { RecordedEvent } from './diagnostics.ts';
export { EventBroadcaster, type EventBroadcasterOptions } from './event-broadcaster.ts';
export {
  type AggregationKeys,
  type CorrelatorOptions,
  type CountedEvent,
  eventAggregatorByReasonFunc,
  eventAggregatorByReasonMessageFunc,
  EventCorrelator,
  type EventCorrelateResult,
  type EventCountPatch,
  getSpamKey,
} from './event-correlator.ts';
export type { EventOptions, EventRecorder, EventType } from './event-recorder.ts';
export {
  coreV1Sink,
  type CoreV1EventsClient,
  type EventSeriesPatch,
  type EventSink,
  eventsV1Sink,
  type EventsV1EventsClient,
  type EventsV1Sink,
  type Sink,
  type SinkOptions,
} from './event-sink.ts';
export {
  EventsV1Broadcaster,
  type EventsV1BroadcasterOptions,
  type EventsV1Recorder,
  type EventsV1Source,
  type EventV1Details,
  type SeriesOptions,
} from './events-v1-broadcaster.ts';
export { RECORD_ERRORS, RecordError, type RecordErrorCode } from './record-error.ts';
export { type EventSubject, getReference, type ReferenceOptions } from './reference.ts';
