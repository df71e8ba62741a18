import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Deferred } from 'client-ts/internal';
import { VirtualClock } from 'client-ts/testing';

import { withProgress } from './progress.ts';
import { testContext, TestOutput } from './test-context.ts';

test('prints nothing within a second', async () => {
  const clock = new VirtualClock();
  const context = testContext({ clock });
  const work = new Deferred<string>();
  const waited = withProgress(context, 'Listing pods', work.promise);
  await clock.advance(999);
  work.resolve('done');
  assert.equal(await waited, 'done');
  assert.equal(context.errorText(), '');
  assert.equal(clock.pending, 0);
});

test('prints one line without a terminal', async () => {
  const clock = new VirtualClock();
  const context = testContext({ clock });
  const work = new Deferred();
  const waited = withProgress(context, 'Listing pods', work.promise);
  await clock.advance(5000);
  work.reject(new Error('refused'));
  await assert.rejects(waited, /refused/);
  assert.deepEqual(context.errors, ['Listing pods…']);
  assert.equal(clock.pending, 0);
});

test('counts seconds on a terminal, and erases the line', async () => {
  const clock = new VirtualClock();
  const context = testContext({ clock, stderr: new TestOutput({ isTTY: true }) });
  const work = new Deferred();
  const waited = withProgress(context, 'Listing pods', work.promise);
  await clock.advance(2000);
  work.resolve();
  await waited;
  const erase = '\r\u001B[K';
  assert.equal(context.errorText(), `${erase}Listing pods… 1 s${erase}Listing pods… 2 s${erase}`);
  assert.equal(clock.pending, 0);
});
