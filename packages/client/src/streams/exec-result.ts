import { isJsonObject } from '../lib/json.ts';
import { ApiError, type FailedRequest } from '../meta/api-error.ts';
import { isStatus } from '../meta/status.ts';
import type { Status } from '../meta/types.ts';
import { StreamsError } from './streams-error.ts';

/** How a command ended. */
export interface ExecResult {
  /** The exit code of the command; 0 for success. */
  readonly exitCode: number;
  /** As the server sent it. */
  readonly status: Status;
}

/** A command that ran, or the error for one that did not. */
export type ExecOutcome = { readonly result: ExecResult } | { readonly error: ApiError };

/**
 * Reads the Status at the end of exec and attach. Returns undefined if the text is not complete.
 * Throws `STREAMS_PROTOCOL` for anything but a Status.
 */
export function parseExecStatus(text: string, request: FailedRequest): ExecOutcome | undefined {
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { kind = 'Status', apiVersion = 'v1' } = isJsonObject(sent) ? sent : {};
  const status: unknown = isJsonObject(sent) ? { ...sent, kind, apiVersion } : sent;
  if (!isStatus(status)) {
    throw new StreamsError('STREAMS_PROTOCOL', 'the server ended the stream without a Status');
  }
  if (status.status === 'Success') return { result: { exitCode: 0, status } };
  const exitCode = exitCodeOf(status);
  return exitCode === undefined
    ? { error: new ApiError(status, { request }) }
    : { result: { exitCode, status } };
}

function exitCodeOf({ reason, details }: Status): number | undefined {
  if (reason !== 'NonZeroExitCode') return undefined;
  const cause = details?.causes?.find((one) => one.reason === 'ExitCode');
  const exitCode = Number(cause?.message ?? Number.NaN);
  return Number.isInteger(exitCode) ? exitCode : undefined;
}
