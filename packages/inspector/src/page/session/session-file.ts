import { parseSession } from 'client-ts/observe';

import { SessionLog } from './session-log.ts';

/**
 * Reads the file of a session. Throws an `ObserveError` if it is not one. More records than `limit` become
 * part of the state at its beginning.
 */
export function readSession(text: string, limit?: number): SessionLog {
  const { header, records } = parseSession(text);
  const log = new SessionLog(header, { limit });
  for (const record of records) log.push(record);
  return log;
}
