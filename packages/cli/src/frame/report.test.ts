import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ClientError } from 'client-ts/internal';
import { OPERATIONS_ERRORS, OperationsError, type OperationsErrorCode } from 'client-ts/operations';

import { reportError, sentence } from './report.ts';
import { testContext, TestOutput } from './test-context.ts';
import { UsageError } from './usage-error.ts';

const options = { program: 'client-ts get', debug: false };

test('prints an error as one line with its hint', () => {
  const context = testContext();
  reportError(new ClientError('X', 'it broke', { hint: 'Mend it.' }), context, options);
  reportError(new ClientError('X', 'it broke.'), context, options);
  assert.deepEqual(context.errors, [
    'client-ts get: it broke. Mend it.',
    'client-ts get: it broke.',
  ]);
});

test('points usage errors to --help, unexpected ones to --debug', () => {
  const context = testContext();
  reportError(new UsageError('no such flag'), context, options);
  reportError(new TypeError('x is undefined'), context, options);
  assert.deepEqual(context.errors, [
    'client-ts get: no such flag',
    'See: client-ts get --help',
    'client-ts get: x is undefined',
    'Use --debug for the stack trace.',
  ]);
});

test('prints the errors of an AggregateError one per line', () => {
  const context = testContext();
  const errors = [new ClientError('A', 'one'), new ClientError('B', 'two')];
  reportError(new AggregateError(errors, 'both'), context, options);
  assert.deepEqual(context.errors, ['client-ts get: one', 'client-ts get: two']);
});

test('prints the causes with --debug, outermost first', () => {
  const context = testContext();
  const error = new ClientError('A', 'outer', { cause: new Error('inner') });
  reportError(error, context, { ...options, debug: true });
  assert.match(context.errors[1] ?? '', /^ClientError: outer\n[^]*\nCaused by: Error: inner\n/);
});

test('prints thrown values that are not errors', () => {
  assert.equal(sentence('just a text'), 'just a text');
});

test('names flags and commands where the hints of the library name options and functions', () => {
  const hints = (Object.keys(OPERATIONS_ERRORS) as OperationsErrorCode[]).map((code) =>
    sentence(new OperationsError(code, 'it failed')),
  );
  assert.ok(
    hints.includes('it failed. Look at the current number, or leave out --current-replicas.'),
  );
  for (const hint of hints) assert.doesNotMatch(hint, /\b[a-z]+[A-Z]\w*/);
});

test('uses colours only where enabled', () => {
  const stderr = new TestOutput({ isTTY: true });
  reportError(new ClientError('X', 'it broke'), testContext({ stderr }), options);
  assert.equal(stderr.text, '\u001B[31mclient-ts get:\u001B[39m it broke\n');
});
