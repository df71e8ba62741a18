import { CodecError } from '../codec/codec-error.ts';
import { ClientError } from '../lib/errors.ts';
import { ApiError } from '../meta/api-error.ts';
import { TransportError, type TransportErrorCode } from '../transport/transport-error.ts';
import { RestError } from './rest-error.ts';

const HOPELESS: ReadonlySet<TransportErrorCode> = new Set([
  'CLOSED',
  'REQUEST_INVALID',
  'TRANSPORT_CONFIG',
]);

/**
 * True if doing the same again later may well go better: a connection that broke or could not be
 * made, a server that is overloaded or failing, a stream that was cut off. False for refusals that
 * are about the request itself, for data that cannot be read, and for errors of the program.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof ApiError) {
    const { statusCode } = error;
    return statusCode >= 500 || statusCode === 429 || statusCode === 408;
  }
  if (error instanceof TransportError) return !HOPELESS.has(error.code);
  if (error instanceof RestError) return error.code === 'WATCH_OVERDUE';
  if (error instanceof CodecError) return error.code === 'CODEC_TRUNCATED';
  if (error instanceof ClientError) return false;
  // What a transport of somebody else lets through: errors of the system have names such as EPIPE.
  return error instanceof Error && /^E[A-Z]+$/.test(String(Reflect.get(error, 'code')));
}
