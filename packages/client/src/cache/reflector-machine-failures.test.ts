import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ClientError } from '../lib/errors.ts';
import { ApiError } from '../meta/api-error.ts';
import { newGone, newTimeoutError, newUnauthorized } from '../meta/error-factories.ts';
import { failureStatus } from '../meta/status.ts';
import { RestError } from '../rest/rest-error.ts';
import { failureKind, isBlocking } from './reflector-machine.ts';
import { failures } from './test-failures.ts';

it('failureKind classifies failures', () => {
  for (const [name, error] of Object.entries(failures)) {
    const kind = name === 'untrusted' ? 'unreachable' : name;
    assert.equal(failureKind(error), kind === 'tooLarge' ? 'too-large' : kind);
    assert.equal(failureKind(new Error('wrapped', { cause: error })), failureKind(error));
  }
  assert.equal(failureKind(newGone('gone')), 'expired');
  assert.equal(failureKind(newUnauthorized()), 'denied');
  assert.equal(failureKind(new ClientError('REST_WATCH_OVERDUE', 'silent')), 'unreachable');
  assert.equal(failureKind(undefined), 'other');
});

it('failureKind recognises the message of old servers for too large versions', () => {
  const timeout = (message: string, causes: { message: string }[]): ApiError =>
    new ApiError(failureStatus({ reason: 'Timeout', code: 504, message, details: { causes } }));
  const words = 'Too large resource version';
  assert.equal(failureKind(timeout('Timeout: x', [{ message: words }])), 'too-large');
  assert.equal(failureKind(timeout(`Timeout: ${words}: 9, current: 5`, [])), 'too-large');
  assert.equal(failureKind(timeout('Timeout: x', [{ message: 'y' }])), 'other');
  assert.equal(failureKind(newTimeoutError('slow', 1)), 'other');
});

it('isBlocking holds for errors that no retry can fix', () => {
  const blocking = Object.entries(failures).filter(([, error]) => isBlocking(error));
  assert.deepEqual(
    blocking.map(([name]) => name),
    ['untrusted'],
  );
  assert.ok(isBlocking(new Error('wrapped', { cause: failures.untrusted })));
  assert.ok(isBlocking(new RestError('REST_LIST_ENDLESS', 'the same continue token again')));
  assert.ok(!isBlocking(new RestError('REST_WATCH_OVERDUE', 'silent')));
});
