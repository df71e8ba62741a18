import assert from 'node:assert/strict';
import { it } from 'node:test';

import { CodecError } from '../codec/codec-error.ts';
import { retryOf } from '../lib/errors.ts';
import {
  newBadRequest,
  newForbidden,
  newInternalError,
  newResourceExpired,
  newServiceUnavailable,
  newTooManyRequests,
  newUnauthorized,
} from '../meta/error-factories.ts';
import { ObjectKeyError } from '../meta/object.ts';
import { TransportError } from '../transport/transport-error.ts';
import { RestError } from './rest-error.ts';

it('marks the errors that a retry can fix', () => {
  const transient: unknown[] = [
    newInternalError('broken'),
    newServiceUnavailable('starting'),
    newTooManyRequests('busy', 1),
    new TransportError('TRANSPORT_CONNECTION_RESET', 'gone'),
    new TransportError('TRANSPORT_CONNECTION_REFUSED', 'not there'),
    new TransportError('TRANSPORT_DNS', 'unknown'),
    new RestError('REST_WATCH_OVERDUE', 'late'),
    new CodecError('CODEC_TRUNCATED', 'cut off'),
    Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
  ];
  const lasting: unknown[] = [
    newBadRequest('what?'),
    newForbidden({ group: '', resource: 'pods' }, '', 'no'),
    newResourceExpired('too old'),
    newUnauthorized('who?'),
    new TransportError('TRANSPORT_CLOSED', 'closed'),
    new TransportError('TRANSPORT_TLS_UNTRUSTED', 'unknown CA'),
    new TransportError('TRANSPORT_TLS_CLIENT_CERTIFICATE', 'refused'),
    new TransportError('TRANSPORT_TLS_EXPIRED', 'expired'),
    new TransportError('TRANSPORT_TLS_NAME', 'of another'),
    new TransportError('TRANSPORT_CONFIG', 'contradiction'),
    new RestError('REST_WATCH_EVENT_INVALID', 'odd'),
    new CodecError('CODEC_MALFORMED', 'odd'),
    new ObjectKeyError('no name'),
    new TypeError('x is undefined'),
    Object.assign(new Error('argument'), { code: 'ERR_INVALID_ARG_TYPE' }),
    'a string',
    undefined,
  ];
  for (const error of transient) assert.equal(retryOf(error) !== 'never', true, String(error));
  for (const error of lasting) assert.equal(retryOf(error) !== 'never', false, String(error));
});
