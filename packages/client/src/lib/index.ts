export { aggregateMessage } from './aggregate-message.ts';
export { Backoff, type BackoffOptions, type Delays } from './backoff.ts';
export { BufferPool } from './buffer-pool.ts';
export {
  type Clock,
  type ScheduledCall,
  type ScheduleOptions,
  sleep,
  systemClock,
} from './clock.ts';
export { withDeadline } from './deadline.ts';
export { deepFreeze } from './deep-freeze.ts';
export { Deferred } from './deferred.ts';
export {
  currentCause,
  DiagnosticChannel,
  SampledChannel,
  type SampledSubscription,
  trackCauses,
  withCause,
} from './diagnostic-channel.ts';
export { type Environment, systemEnvironment } from './environment.ts';
export {
  ClientError,
  type ClientErrorOptions,
  defineErrors,
  type ErrorCatalogue,
  errorCatalogue,
  errorChain,
  type ErrorEntry,
  messageOf,
  type Retry,
  retryOf,
} from './errors.ts';
export { BinaryHeap, type BinaryHeapItem } from './binary-heap.ts';
export {
  cloneJson,
  getKey,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  setKey,
} from './json.ts';
export {
  defaultLogger,
  type DefaultLoggerOptions,
  describeError,
  errorLogger,
  type Logger,
  type LogEntry,
  type LogFields,
  loggerOf,
  type LoggerOption,
  type LogLevel,
  structuredLogger,
  TroubleReporter,
} from './logger.ts';
export { LOG_EVENTS, type LogEvent } from './log-events.ts';
export { Mailbox, type MailboxOptions } from './mailbox.ts';
export { mapConcurrent, type MapConcurrentOptions } from './map-concurrent.ts';
export { nextTurn } from './next-turn.ts';
export { nodeCrypto, nodeHttp, nodeHttp2, nodeHttps, nodeTls, nodeZlib } from './node-modules.ts';
export { checkChoice, checkNumbers, OptionError } from './option-error.ts';
export {
  compareStrings,
  formatGo,
  formatGoFloat,
  formatGoNumber,
  formatGoString,
  formatGoSyntax,
  type GoJsonOptions,
  goTypeOf,
  toGoJson,
  quoteGo,
} from './go-format.ts';
export { type Random, seededRandom, systemRandom } from './random.ts';
export { requestedDelayMs } from './requested-delay.ts';
export { RingBuffer } from './ring-buffer.ts';
export { SingleFlight } from './single-flight.ts';
export { abortable, anySignal, onAbort, type OwnedSignal } from './signal.ts';
export { unifiedDiff } from './unified-diff.ts';
export { TokenBucket, type TokenBucketOptions } from './token-bucket.ts';
