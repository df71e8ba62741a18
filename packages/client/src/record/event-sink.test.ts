import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextTurn } from '../lib/next-turn.ts';
import { ApiError, UnexpectedObjectError } from '../meta/api-error.ts';
import { newAlreadyExists, newForbidden, newInternalError } from '../meta/error-factories.ts';
import { failureStatus } from '../meta/status.ts';
import { RestError } from '../rest/rest-error.ts';
import { Trial } from './test-record.ts';

const events = { group: '', resource: 'events' };

describe('a failed write', () => {
  const table: readonly {
    readonly what: string;
    readonly error: Error;
    readonly tries: number;
    readonly codes: readonly string[];
  }[] = [
    {
      what: 'is not retried for an invalid request',
      error: new RestError('REST_REQUEST_INVALID', 'no name'),
      tries: 1,
      codes: ['RECORD_REFUSED'],
    },
    {
      what: 'is not retried when the server rejects the event',
      error: newForbidden(events, 'web', 'no'),
      tries: 1,
      codes: ['RECORD_REFUSED'],
    },
    {
      what: 'is tried twelve times while the server fails',
      error: newInternalError('boom'),
      tries: 12,
      codes: ['RECORD_GAVE_UP'],
    },
    {
      what: 'is not reported when the event already exists',
      error: newAlreadyExists(events, 'web'),
      tries: 1,
      codes: [],
    },
    {
      what: 'is not reported when the namespace is being deleted',
      error: new ApiError(
        failureStatus({
          code: 403,
          reason: 'Forbidden',
          message: 'being terminated',
          details: { causes: [{ reason: 'NamespaceTerminating' }] },
        }),
      ),
      tries: 1,
      codes: [],
    },
    {
      what: 'is not retried for a malformed response',
      error: new UnexpectedObjectError({}),
      tries: 1,
      codes: ['RECORD_REFUSED'],
    },
    {
      what: 'is tried twelve times for any other error',
      error: new Error('an unknown error'),
      tries: 12,
      codes: ['RECORD_GAVE_UP'],
    },
  ];
  for (const { what, error, tries, codes } of table) {
    it(what, async () => {
      const trial = new Trial();
      trial.sink.onWrite = () => {
        throw error;
      };
      trial.broadcaster.startRecordingToSink(trial.sink);
      trial.record('it started');
      await trial.clock.advance(3_600_000);
      assert.equal(trial.sink.calls.length, tries);
      assert.deepEqual(trial.codes, codes);
      if (codes.length > 0) assert.equal(trial.errors[0]?.cause, error);
      const { abandoned, refused, written } = trial.broadcaster.statistics;
      const lost = tries === 1 ? { abandoned: 0, refused: 1 } : { abandoned: 1, refused: 0 };
      assert.deepEqual({ abandoned, refused, written }, { ...lost, written: 0 });
    });
  }

  it('is retried after ten seconds, the first time after a random part of them', async () => {
    const trial = new Trial({ random: { next: () => 0.25, uuid: () => '' } });
    const times: number[] = [];
    trial.sink.onWrite = () => {
      times.push(trial.clock.monotonic());
      if (times.length < 4) throw new Error('away');
    };
    trial.broadcaster.startRecordingToSink(trial.sink);
    trial.record('it started');
    await trial.clock.advance(60_000);
    assert.deepEqual(times, [0, 2500, 12_500, 22_500]);
    assert.equal(trial.broadcaster.statistics.written, 1);
  });

  it('delays later events until it succeeds, and loses none', async () => {
    const trial = new Trial();
    let isAway = true;
    trial.sink.onWrite = () => {
      if (isAway) throw new Error('away');
    };
    trial.broadcaster.startRecordingToSink(trial.sink);
    for (const message of ['one', 'two', 'three']) trial.record(message);
    await trial.clock.advance(30_000);
    assert.ok(trial.sink.calls.every(({ event }) => event.message === 'one'));
    assert.equal(trial.broadcaster.statistics.pending, 3);
    isAway = false;
    await trial.clock.advance(10_000);
    assert.deepEqual(
      [...trial.sink.stored.values()].map(({ message }) => message),
      ['one', 'two', 'three'],
    );
    assert.equal(trial.broadcaster.statistics.pending, 0);
  });

  it('recreates an expired event with its count', async () => {
    const trial = new Trial();
    trial.broadcaster.startRecordingToSink(trial.sink);
    trial.record('it started');
    await nextTurn();
    const [before] = trial.sink.stored.values();
    trial.sink.stored.clear();
    trial.record('it started');
    await nextTurn();
    assert.deepEqual(trial.sink.verbs, ['create', 'patch', 'create']);
    const created = trial.sink.calls.at(-1)?.event;
    assert.equal(created?.metadata.name, before?.metadata.name);
    assert.equal(created?.metadata.resourceVersion, undefined);
    assert.equal(created?.count, 2);
  });

  it('continues with the event as the server stored it', async () => {
    const trial = new Trial();
    trial.broadcaster.startRecordingToSink({
      create: async (event, options) =>
        await trial.sink.create(
          { ...event, metadata: { name: 'renamed', namespace: 'shop' } },
          options,
        ),
      patch: (event, patch, options) => trial.sink.patch(event, patch, options),
    });
    trial.record('it started');
    trial.record('it started');
    await nextTurn();
    assert.deepEqual(trial.sink.verbs, ['create', 'patch']);
    assert.equal(trial.sink.stored.get('shop/renamed')?.count, 2);
  });

  it('continues the count after an event that the server rejected', async () => {
    const trial = new Trial();
    trial.sink.onWrite = () => {
      if (trial.sink.calls.length === 1) throw newForbidden(events, 'web', 'no');
    };
    trial.broadcaster.startRecordingToSink(trial.sink);
    trial.record('it started');
    trial.record('it started');
    await nextTurn();
    assert.deepEqual(trial.sink.verbs, ['create', 'patch', 'create']);
    assert.deepEqual(
      [...trial.sink.stored.values()].map(({ count }) => count),
      [2],
    );
  });
});
