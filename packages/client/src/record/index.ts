export { Broadcaster, type BroadcasterOptions, type ShutdownOptions } from './broadcaster.ts';
export { EventBroadcaster, type EventBroadcasterOptions } from './event-broadcaster.ts';
export {
  combinedMessage,
  type CorrelatorContext,
  type CorrelatorOptions,
  EventCorrelator,
  type EventCorrelateResult,
} from './event-correlator.ts';
export type { CountedEvent, EventCountPatch } from './event-counter.ts';
export { aggregateByReason, type AggregationKeys, spamKey } from './event-keys.ts';
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
export type { EventStatistics } from './event-statistics.ts';
export type { EventWatcher } from './event-watcher.ts';
export {
  EventsV1Broadcaster,
  type EventsV1BroadcasterOptions,
  type EventsV1Recorder,
  type EventsV1Source,
  type EventV1Details,
} from './events-v1-broadcaster.ts';
export { RECORD_ERRORS, RecordError, type RecordErrorCode } from './record-error.ts';
export { type EventSubject, referenceTo, type ReferenceOptions } from './reference.ts';
export type { SeriesOptions } from './series-recorder.ts';
