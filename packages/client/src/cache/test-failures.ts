import { CodecError } from '../codec/codec-error.ts';
import {
  newForbidden,
  newInternalError,
  newNotFound,
  newResourceExpired,
  newTooLargeResourceVersion,
  newTooManyRequests,
} from '../meta/error-factories.ts';
import { TransportError } from '../transport/transport-error.ts';

const kinds: Readonly<
  Record<
    | 'absent'
    | 'busy'
    | 'denied'
    | 'expired'
    | 'internal'
    | 'other'
    | 'tooLarge'
    | 'truncated'
    | 'unreachable',
    Error
  >
> = {
  absent: newNotFound({ group: 'example.com', resource: 'widgets' }, ''),
  busy: newTooManyRequests('try again', 0),
  denied: newForbidden({ group: '', resource: 'pods' }, '', 'no rights'),
  expired: newResourceExpired('too old resource version: 1 (2)'),
  internal: newInternalError('no leader'),
  other: new Error('something else'),
  tooLarge: newTooLargeResourceVersion(9, 5, 1),
  truncated: new CodecError('CODEC_TRUNCATED', 'the stream ended inside a frame'),
  unreachable: new TransportError('TRANSPORT_CONNECTION_REFUSED', 'connection refused'),
};

/** One failure of each kind that a reflector distinguishes. */
export const failures: typeof kinds & { readonly untrusted: TransportError } = {
  ...kinds,
  /** Unreachable, with an error that no retry can fix. */
  untrusted: new TransportError('TRANSPORT_TLS_UNTRUSTED', 'self-signed certificate'),
};
