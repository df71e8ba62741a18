import assert from 'node:assert/strict';
import { it } from 'node:test';

import { CodecError } from '../codec/codec-error.ts';
import {
  newBadRequest,
  newForbidden,
  newInternalError,
  newResourceExpired,
  newServiceUnavailable,
  newTooManyRequests,
} from '../meta/error-factories.ts';
import { ObjectKeyError } from '../meta/object.ts';
import { TransportError } from '../transport/transport-error.ts';
import { RestError } from './rest-error.ts';
import { isTransient } from './transient.ts';

it('tells what may go better next time from what will not', () => {
  const transient: unknown[] = [
    newInternalError('broken'),
    newServiceUnavailable('starting'),
    newTooManyRequests('busy', 1),
    new TransportError('CONNECTION_RESET', 'gone'),
    new TransportError('CONNECTION_REFUSED', 'not there'),
    new TransportError('DNS', 'unknown'),
    new RestError('WATCH_OVERDUE', 'late'),
    new CodecError('CODEC_TRUNCATED', 'cut off'),
    Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
  ];
  const lasting: unknown[] = [
    newBadRequest('what?'),
    newForbidden({ group: '', resource: 'pods' }, '', 'no'),
    newResourceExpired('too old'),
    new TransportError('CLOSED', 'closed'),
    new TransportError('TRANSPORT_CONFIG', 'contradiction'),
    new RestError('WATCH_EVENT_INVALID', 'odd'),
    new CodecError('CODEC_MALFORMED', 'odd'),
    new ObjectKeyError('no name'),
    new TypeError('x is undefined'),
    Object.assign(new Error('argument'), { code: 'ERR_INVALID_ARG_TYPE' }),
    'a string',
    undefined,
  ];
  for (const error of transient) assert.equal(isTransient(error), true, String(error));
  for (const error of lasting) assert.equal(isTransient(error), false, String(error));
});
