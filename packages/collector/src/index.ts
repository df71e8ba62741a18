/**
 * Collects Kubernetes events into SQLite, Elasticsearch, OpenSearch, files and receivers of OTLP.
 *
 * @module
 */

export { type CollectedEvent, type InvolvedObject, type ServerEvent } from './collected-event.ts';
export {
  COLLECTOR_ERRORS,
  CollectorError,
  type CollectorErrorCode,
  type CollectorErrorOptions,
} from './collector-error.ts';
export {
  type CollectorOptions,
  type CollectorStats,
  EventCollector,
  type SinkOpener,
} from './collector.ts';
export type { CollectorSharding } from './collector-shards.ts';
export { DirectoryLock, type DirectoryLockOptions } from './directory-lock.ts';
export { type CollectorSink, type Gap, type Position, type Rejection } from './collector-sink.ts';
export { type EventSource, eventSource, type EventSourceOptions } from './event-source.ts';
export { fileTarget, type FileTarget, type LineTarget, NdjsonSink } from './ndjson-sink.ts';
export {
  type OtlpAnswer,
  type OtlpConnection,
  otlpTransport,
  type OtlpTransport,
  type OtlpTransportOptions,
} from './otlp-client.ts';
export {
  type OtlpEnvironment,
  otlpEnvironment,
  type OtlpEnvironmentOptions,
} from './otlp-environment.ts';
export type { OtlpAttributes } from './otlp-logs.ts';
export { OtlpSink, type OtlpSinkOptions } from './otlp-sink.ts';
export { type RotatingFileOptions } from './rotating-file.ts';
export {
  type SearchAnswer,
  type SearchConnection,
  type SearchCredentials,
  type SearchProduct,
  type SearchRequest,
  searchTransport,
  type SearchTransport,
} from './search-client.ts';
export { SearchSink, type SearchSinkOptions } from './search-sink.ts';
export { type PipelineStats } from './sink-pipeline.ts';
export { EventArchive, type EventQuery, type QueryResult } from './event-archive.ts';
export { SqliteSink, type SqliteSinkOptions } from './sqlite-sink.ts';
