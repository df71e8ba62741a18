import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, it } from 'node:test';

import {
  type DiagnosticMessages,
  failedOutcome,
  pathWithoutQuery,
  publish,
} from './diagnostics.ts';
import { TransportError } from './transport-error.ts';

const name = 'client-ts:connection:close';
const message: DiagnosticMessages[typeof name] = {
  connection: 1,
  server: 'api:6443',
  protocol: 'h2',
};

describe('publish', () => {
  it('creates a message only if there is a subscriber', () => {
    publish(name, () => assert.fail('there is no subscriber yet'));
    const seen: unknown[] = [];
    const listen = (given: unknown): void => void seen.push(given);
    subscribe(name, listen);
    publish(name, () => message);
    unsubscribe(name, listen);
    publish(name, () => assert.fail('there is no subscriber any more'));
    assert.deepEqual(seen, [message]);
  });
});

describe('pathWithoutQuery', () => {
  it('takes the query off, if there is one', () => {
    assert.equal(pathWithoutQuery('/api/v1/pods?watch=1&a=?'), '/api/v1/pods');
    assert.equal(pathWithoutQuery('/api/v1/pods'), '/api/v1/pods');
  });
});

describe('failedOutcome', () => {
  it('has the code of the error, or its name', () => {
    const coded = new TransportError('TRANSPORT_DNS', 'no such host');
    assert.deepEqual(failedOutcome(coded), { error: coded, code: 'TRANSPORT_DNS' });
    const aborted = new DOMException('enough', 'AbortError');
    assert.deepEqual(failedOutcome(aborted), { error: aborted, code: 'AbortError' });
    assert.deepEqual(failedOutcome('text'), { error: 'text', code: 'Error' });
  });
});
