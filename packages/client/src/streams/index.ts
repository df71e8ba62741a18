/**
 * The streams of pods: logs, exec, attach, port-forward and copy.
 *
 * @module
 */

export { copyFrom, type CopyOptions, type CopyResult, copyTo } from './copy.ts';
export type { CopyProgress } from './copy-progress.ts';
export { attach, type AttachOptions, exec, type ExecOptions, type PodReference } from './exec.ts';
export type { ExecResult } from './exec-result.ts';
export { type ExecOutput, ExecSession, type TerminalSize } from './exec-session.ts';
export type { SkippedEntry } from './extraction.ts';
export { logBytes, type LogOptions, logs } from './logs.ts';
export type { StreamSink, StreamSource } from './plumbing.ts';
export type { AllPodsClient, AllPodStreams, PodClient, PodStreams } from './pod-client.ts';
export { type DialOptions, PodDialer, type PodDialerOptions } from './pod-dialer.ts';
export { logsOf, type PodLogLine, type PodLogsOptions } from './pod-logs.ts';
export {
  type ForwardKind,
  type ForwardTarget,
  podSelectorOf,
  podsForLogs,
  resolvePod,
} from './pod-target.ts';
export {
  type ForwardedPort,
  portForward,
  PortForwarder,
  type PortForwardOptions,
  type PortMapping,
} from './port-forward.ts';
export { STREAMS_ERRORS, StreamsError, type StreamsErrorCode } from './streams-error.ts';
