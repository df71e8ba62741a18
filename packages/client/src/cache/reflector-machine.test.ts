import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newTooManyRequests } from '../meta/error-factories.ts';
import { transition } from './reflector-machine.ts';
import { failures } from './test-failures.ts';
import {
  begin,
  ended,
  list,
  listed,
  listFailed,
  open,
  openFailed,
  opened,
  play,
  start,
  streamed,
  types,
  wait,
  waited,
  watching,
} from './test-machine.ts';

describe('the first state, by a list', () => {
  const listing = start({ useWatchList: false });

  it('is listed at version 0, in pages', () => {
    assert.deepEqual(play(listing, begin).next, list('0', 500));
  });

  it('is followed by a watch from its version', () => {
    const step = play(listing, begin, listed);
    assert.deepEqual(step.next, open(false, '10'));
    assert.deepEqual(types(transition(step.state, opened)), ['live']);
    assert.deepEqual(transition(step.state, opened).next, { type: 'read', isResumed: false });
  });

  it('is retried after a wait if it fails, and the failure is reported', () => {
    for (const error of [failures.denied, failures.absent, failures.other, failures.unreachable]) {
      const step = play(listing, begin, listFailed(error));
      assert.deepEqual(step.next, wait);
      assert.deepEqual(types(step), ['report', 'stale']);
      assert.deepEqual(transition(step.state, waited).next, list('0', 500));
    }
  });

  it('uses the given page size', () => {
    const paged = start({ useWatchList: false, pageSize: 7 });
    assert.deepEqual(play(paged, begin).next, list('0', 7));
    assert.deepEqual(
      play(paged, begin, listed, openFailed(failures.other), waited).next,
      list('10', 7),
    );
  });
});

describe('a later list', () => {
  it('requests the last version, in one piece', () => {
    const step = play(watching, ended({ error: failures.expired }), waited);
    assert.deepEqual(step.next, list('20', 0));
  });

  it('is paged if the first list showed that there is no watch cache', () => {
    const inPages = { ...listed, isPaginated: true } as const;
    const state = play(start({ useWatchList: false }), begin, inPages, opened).state;
    const step = play(state, ended({ error: failures.expired }), waited);
    assert.deepEqual(step.next, list('20', 500));
  });

  it('shows nothing about the watch cache if it was at a version', () => {
    const again = play(watching, ended({ error: failures.expired }), waited, {
      ...listed,
      isPaginated: true,
    });
    assert.equal(again.state.hasNoWatchCache, false);
  });

  it('requests the newest state immediately if the version is gone or too large', () => {
    for (const error of [failures.expired, failures.tooLarge]) {
      const step = play(watching, ended({ error: failures.expired }), waited, listFailed(error));
      assert.deepEqual(step.next, list('', 500));
      assert.deepEqual(step.effects, []);
      assert.equal(transition(step.state, listed).state.isVersionUnavailable, false);
    }
  });

  it('keeps requesting the newest state until it succeeds', () => {
    const asked = play(
      watching,
      ended({ error: failures.expired }),
      waited,
      listFailed(failures.expired),
    );
    const refused = play(asked.state, listFailed(failures.other));
    assert.deepEqual(refused.next, wait);
    assert.deepEqual(play(refused.state, waited).next, list('', 500));
    const nonsense = play(asked.state, listFailed(failures.expired));
    assert.deepEqual(nonsense.next, wait, 'the newest version cannot be gone: no endless loop');
  });
});

describe('the first state, by a stream', () => {
  it('is requested without a version', () => {
    assert.deepEqual(play(start(), begin).next, open(true, ''));
    assert.deepEqual(play(start(), begin, opened).next, { type: 'read-initial' });
  });

  it('continues as the watch', () => {
    const step = play(start(), begin, opened, {
      type: 'streamed',
      resourceVersion: '10',
      items: 1,
    });
    assert.deepEqual(step.next, { type: 'read', isResumed: false });
    assert.deepEqual(types(step), ['live']);
    assert.equal(step.state.resourceVersion, '10');
    assert.deepEqual(transition(step.state, ended()).next, open(false, '20'));
  });

  it('is requested at the last version later', () => {
    const step = play(streamed, ended({ error: failures.expired }), waited);
    assert.deepEqual(step.next, open(true, '20'));
  });

  it('is listed instead if the server refuses', () => {
    for (const error of [failures.denied, failures.other, failures.internal, failures.absent]) {
      assert.deepEqual(play(start(), begin, openFailed(error)).next, list('0', 500));
      assert.deepEqual(
        play(start(), begin, opened, ended({ error, durationMs: 5 })).next,
        list('0', 500),
      );
    }
  });

  it('is tried again in the next cycle', () => {
    const step = play(
      start(),
      begin,
      openFailed(failures.other),
      listFailed(failures.other),
      waited,
    );
    assert.deepEqual(step.next, open(true, ''));
  });

  it('waits for a server that is busy or unreachable', () => {
    for (const error of [failures.busy, failures.unreachable]) {
      const step = play(start(), begin, openFailed(error));
      assert.deepEqual(step.next, wait);
      assert.deepEqual(transition(step.state, waited).next, open(true, ''));
    }
    const later = play(start(), begin, opened, ended({ error: failures.busy }));
    assert.deepEqual(later.next, wait);
    assert.deepEqual(transition(later.state, waited).next, open(true, ''));
  });

  it('is requested without a version immediately if the version is gone', () => {
    for (const error of [failures.expired, failures.tooLarge]) {
      const again = play(streamed, ended({ error: failures.expired }), waited);
      const step = transition(again.state, openFailed(error));
      assert.deepEqual(step.next, open(true, ''));
      assert.deepEqual(transition(step.state, openFailed(error)).next, list('', 500));
    }
  });

  it('is retried after a wait if the stream breaks, then listed', () => {
    const broken = ended({ events: 5 });
    const first = play(start(), begin, opened, broken);
    assert.deepEqual(first.next, wait);
    assert.deepEqual(transition(first.state, waited).next, open(true, ''));
    const second = play(first.state, waited, opened, broken);
    assert.deepEqual(second.next, list('0', 500));
    for (const error of [failures.unreachable, failures.truncated]) {
      assert.deepEqual(play(start(), begin, opened, ended({ error })).next, wait);
    }
  });

  it('is listed if the stream ends immediately without an event', () => {
    const step = play(start(), begin, opened, ended({ events: 0, durationMs: 999 }));
    assert.deepEqual(step.next, list('0', 500));
    const later = play(start(), begin, opened, ended({ events: 0, durationMs: 1000 }));
    assert.deepEqual(later.next, wait, 'it did not end immediately');
  });

  it('is always listed after a stream without an end', () => {
    const step = play(start(), begin, opened, { type: 'stream-silent' });
    assert.deepEqual(step.next, list('0', 500));
    const later = play(step.state, listed, opened, ended({ error: failures.expired }), waited);
    assert.deepEqual(later.next, list('20', 0));
  });
});

describe('a watch', () => {
  it('that ends is resumed immediately where it ended', () => {
    const step = play(watching, ended());
    assert.deepEqual(step.next, open(false, '20'));
    assert.deepEqual(types(step), ['reset-backoff']);
  });

  it('that breaks is resumed immediately where it broke', () => {
    const step = play(watching, ended({ error: failures.unreachable, durationMs: 5000 }));
    assert.deepEqual(step.next, open(false, '20'));
    assert.deepEqual(types(step), ['stale'], 'five seconds are not healthy');
  });

  it('that cannot be opened is opened after a wait, without a list', () => {
    for (const error of [failures.busy, failures.unreachable]) {
      const step = play(watching, ended(), openFailed(error));
      assert.deepEqual(step.next, wait);
      assert.deepEqual(transition(step.state, waited).next, open(false, '20'));
    }
  });

  it('that is refused leads to a new list, and the failure is reported', () => {
    for (const error of [failures.expired, failures.denied, failures.internal, failures.other]) {
      const step = play(watching, ended(), openFailed(error));
      assert.deepEqual(step.next, wait);
      assert.deepEqual(types(step), ['report', 'stale']);
      assert.deepEqual(transition(step.state, waited).next, list('20', 0));
    }
  });

  it('that ends with a gone version leads to a list at that version, not at the newest', () => {
    const step = play(watching, ended({ error: failures.expired }));
    assert.deepEqual(step.next, wait);
    assert.equal(step.state.isVersionUnavailable, false);
    assert.deepEqual(types(step), ['reset-backoff', 'stale'], 'nothing is reported');
    assert.deepEqual(transition(step.state, waited).next, list('20', 0));
  });

  it('that ends because the server is busy is resumed after a wait, without a list', () => {
    const step = play(watching, ended({ error: failures.busy }));
    assert.deepEqual(step.next, wait);
    assert.deepEqual(transition(step.state, waited).next, open(false, '20'));
  });

  it('waits as long as the server asks', () => {
    const step = play(watching, ended({ error: newTooManyRequests('later', 7) }));
    assert.deepEqual(step.next, { type: 'wait', atLeastMs: 7000 });
  });

  it('that ends with another error leads to a new list', () => {
    for (const error of [failures.internal, failures.other, failures.denied]) {
      const step = play(watching, ended({ error, durationMs: 10 }), waited);
      assert.deepEqual(step.next, list('20', 0));
    }
  });

  it('that ends immediately without an event is resumed after a wait, and the second time leads to a list', () => {
    const short = ended({ events: 0, durationMs: 999, resourceVersion: '10' });
    const first = play(watching, short);
    assert.deepEqual(first.next, wait);
    assert.deepEqual(types(first), []);
    const second = play(first.state, waited, opened, short);
    assert.deepEqual(transition(second.state, waited).next, list('10', 0));
    const between = play(first.state, waited, opened, ended(), opened, short, waited);
    assert.deepEqual(between.next, open(false, '10'), 'only in a row');
  });

  it('that keeps breaking immediately never leads to a list', () => {
    const broken = ended({ events: 0, durationMs: 1, error: failures.unreachable });
    const step = play(watching, broken, waited, opened, broken, waited, opened, broken, waited);
    assert.deepEqual(step.next, open(false, '20'));
  });

  it('is not short after a second, with or without an event', () => {
    for (const events of [0, 1]) {
      const step = play(watching, ended({ events, durationMs: 1000 }));
      assert.deepEqual(step.next, open(false, '20'));
      assert.deepEqual(types(step), ['reset-backoff']);
    }
  });

  it('records whether it was resumed or follows a list', () => {
    const resumed = { type: 'read', isResumed: true };
    assert.deepEqual(play(watching, ended(), opened).next, resumed);
    assert.deepEqual(
      play(watching, ended(), openFailed(failures.unreachable), waited, opened).next,
      resumed,
    );
    const relisted = play(watching, ended({ error: failures.expired }), waited, listed, opened);
    assert.deepEqual(relisted.next, { type: 'read', isResumed: false });
  });

  it('leads to a new cycle if a resync fails', () => {
    const step = play(watching, {
      type: 'resync-failed',
      error: failures.other,
      resourceVersion: '15',
    });
    assert.deepEqual(step.next, wait);
    assert.deepEqual(transition(step.state, waited).next, list('15', 0));
  });
});

describe('stop', () => {
  it('is possible in every phase', () => {
    for (const state of [start(), watching, streamed, play(start(), begin).state]) {
      const step = transition(state, { type: 'stop' });
      assert.deepEqual(step.next, { type: 'stop' });
      assert.equal(step.state.phase, 'stopped');
      assert.deepEqual(step.effects, []);
    }
  });
});
