import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/errors.ts';
import { isJsonObject } from '../lib/json.ts';
import type { ObservedRecord } from './observed-record.ts';
import type { SessionHeader } from './observed-snapshot.ts';

/** The codes of {@link ObserveError}, with their hints. */
export const OBSERVE_ERRORS = {
  OBSERVE_SESSION_INVALID: {
    retry: 'never',
    hint: 'Open a file that the inspector exported or a simulation wrote, of this version or an older one.',
  },
} as const;

/** The codes of {@link ObserveError}. */
export type ObserveErrorCode = keyof typeof OBSERVE_ERRORS;

/** A recorded session cannot be used. */
export class ObserveError extends ClientError {
  declare readonly code: ObserveErrorCode;

  constructor(code: ObserveErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'ObserveError', 'OBSERVE', OBSERVE_ERRORS);
  }
}

/** A recorded session: its header and its records. */
export interface Session {
  readonly header: SessionHeader;
  readonly records: readonly ObservedRecord[];
}

/** Returns a line of a file of a session: the header first, then each record. */
export function sessionLine(value: ObservedRecord | SessionHeader): string {
  return `${JSON.stringify(value)}\n`;
}

/**
 * Reads the file of a session. A last line that was cut off, as by a program that was killed, is
 * ignored; anything else that is not a session is an {@link ObserveError} that names the line. Types
 * of records that this version does not know are kept.
 */
export function parseSession(text: string): Session {
  const lines = text.split('\n');
  const isCut = lines.at(-1) !== '';
  const [first = '', ...rest] = lines.filter((line) => line !== '');
  const header = headerOf(parseLine(first, 1));
  const records: ObservedRecord[] = [];
  for (const [index, line] of rest.entries()) {
    const isLast = isCut && index === rest.length - 1;
    const value = parseLine(line, index + 2, isLast);
    if (value !== undefined) records.push(recordOf(value, index + 2));
  }
  return { header, records };
}

function parseLine(line: string, number: number, mayBeCut = false): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    if (mayBeCut) return undefined;
    throw invalid(`line ${number} is not JSON`, cause);
  }
}

function headerOf(value: unknown): SessionHeader {
  if (!isJsonObject(value) || value['clientTs'] !== 'session') {
    throw invalid('the first line is not the header of a session');
  }
  if (value['version'] !== 1) {
    throw invalid(`a session of version ${JSON.stringify(value['version'])} is not supported`);
  }
  if (typeof value['startedAt'] !== 'number' || !isJsonObject(value['snapshot'])) {
    throw invalid('the header has no startedAt or no snapshot');
  }
  return value as unknown as SessionHeader;
}

function recordOf(value: unknown, number: number): ObservedRecord {
  if (
    isJsonObject(value) &&
    typeof value['type'] === 'string' &&
    typeof value['at'] === 'number' &&
    typeof value['seq'] === 'number'
  ) {
    return value as unknown as ObservedRecord;
  }
  throw invalid(`line ${number} is not a record: it needs type, at and seq`);
}

function invalid(message: string, cause?: unknown): ObserveError {
  return new ObserveError('OBSERVE_SESSION_INVALID', message, { cause });
}
