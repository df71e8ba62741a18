/**
 * The streams of pods: logs, exec, attach, port-forward and copy.
 *
 * @module
 */

export { attach, type AttachOptions, exec, type ExecOptions, type PodReference } from './exec.ts';
export type { ExecResult } from './exec-result.ts';
export { type ExecOutput, ExecSession, type TerminalSize } from './exec-session.ts';
export { logBytes, type LogOptions, logs } from './logs.ts';
export type { StreamSink, StreamSource } from './plumbing.ts';
export type { AllPodsClient, PodClient, PodStreams } from './pod-client.ts';
export { STREAMS_ERRORS, StreamsError, type StreamsErrorCode } from './streams-error.ts';
