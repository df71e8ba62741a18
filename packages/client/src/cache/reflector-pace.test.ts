import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { transition } from './reflector-machine.ts';
import type { MachineEvent, MachineStep } from './reflector-machine.ts';
import { failures } from './test-failures.ts';
import {
  begin,
  ended,
  list,
  listed,
  listFailed,
  open,
  opened,
  openFailed,
  play,
  start,
  types,
  wait,
  waited,
  watching,
} from './test-machine.ts';

describe('a watch that ends early', () => {
  it('starts a second after the last one, however soon that one ended with an event', () => {
    for (const [durationMs, milliseconds] of [
      [0, 1000],
      [400, 600],
      [999, 1],
    ] as const) {
      for (const error of [undefined, failures.unreachable, failures.truncated]) {
        const step = play(watching, ended({ durationMs, error }));
        assert.deepEqual(step.next, { type: 'pause', milliseconds });
        assert.ok(!types(step).includes('reset-backoff'));
        assert.deepEqual(transition(step.state, waited).next, open(false, '20'));
      }
    }
  });

  it('is reported once if ten in a row end within a second', () => {
    const hasty = ended({ durationMs: 999 });
    let step = play(watching, ended());
    const reported: string[] = [];
    for (let count = 1; count <= 30; count += 1) {
      step = play(step.state, hasty);
      for (const effect of step.effects) {
        if (effect.type === 'report') reported.push(`${count} ${String(effect.error)}`);
      }
      step = play(step.state, waited, opened);
    }
    assert.equal(reported.length, 1);
    assert.match(
      reported[0] ?? '',
      /^10 CacheError: the last 10 watches each ended within 1000 ms/,
    );
    const again = play(step.state, ended({ durationMs: 1000 }), opened);
    assert.equal(again.state.hastyWatches, 0);
  });

  it('that ends inside a frame is resumed, and the second time without an event leads to a list', () => {
    const cut = { error: failures.truncated, durationMs: 5000 };
    const first = play(watching, ended(cut));
    assert.deepEqual(first.next, open(false, '20'));
    const stuck = ended({ ...cut, events: 0 });
    const second = play(watching, stuck);
    assert.deepEqual(second.next, wait);
    assert.deepEqual(transition(second.state, waited).next, open(false, '20'));
    const third = play(second.state, waited, opened, stuck, waited);
    assert.deepEqual(third.next, list('20', 0), 'the frame itself cannot be read');
  });

  it('is healthy after a minute, however it ended', () => {
    const lost = (durationMs: number) => ended({ error: failures.unreachable, durationMs });
    assert.deepEqual(types(play(watching, lost(59_999))), ['stale']);
    assert.deepEqual(types(play(watching, lost(60_000))), ['reset-backoff', 'stale']);
  });
});

describe('failures of the server', () => {
  const retrying = play(
    start({ useWatchList: false, maxInternalErrorRetryMs: 30_000 }),
    begin,
    listed,
    opened,
  ).state;
  const failing = (at: number): MachineEvent => ended({ error: failures.internal }, at);

  it('are answered by watching again for maxInternalErrorRetryMs', () => {
    assert.deepEqual(play(retrying, failing(0)).next, open(false, '20'));
    assert.deepEqual(play(retrying, failing(0), opened, failing(30_000)).next, open(false, '20'));
    assert.deepEqual(play(retrying, failing(0), opened, failing(30_001)).next, wait);
  });

  it('are counted from zero after a minute without any', () => {
    const step = play(retrying, failing(0), opened, failing(60_001));
    assert.deepEqual(step.next, open(false, '20'));
    const together = play(retrying, failing(0), opened, failing(60_000));
    assert.deepEqual(together.next, wait, 'a minute is not more than a minute');
  });

  it('are counted from the first of them, whenever that was', () => {
    const step = play(retrying, failing(100_000), opened, failing(130_000), opened);
    assert.deepEqual(play(step.state, failing(130_001)).next, wait);
  });

  it('do not make the next watch start sooner than a second after the last', () => {
    const step = play(retrying, ended({ error: failures.internal, durationMs: 100 }));
    assert.deepEqual(step.next, { type: 'pause', milliseconds: 900 });
  });

  it('are not answered by watching again by default', () => {
    assert.deepEqual(play(watching, ended({ error: failures.internal })).next, wait);
  });
});

describe('an error that no retry can fix', () => {
  const blocked = openFailed(failures.untrusted);
  const slowly = { type: 'wait', atLeastMs: 30_000 };
  const isBlocked = ({ effects }: MachineStep): boolean =>
    effects.some((effect) => effect.type === 'stale' && effect.isBlocked);

  it('is retried slowly, at the same place', () => {
    const listing = play(start({ useWatchList: false }), begin, listFailed(failures.untrusted));
    assert.deepEqual(listing.next, slowly);
    assert.ok(isBlocked(listing));
    assert.deepEqual(transition(listing.state, waited).next, list('0', 500));
    const streaming = play(start(), begin, blocked);
    assert.deepEqual(streaming.next, slowly);
    assert.deepEqual(transition(streaming.state, waited).next, open(true, ''));
    const resuming = play(watching, ended(), blocked);
    assert.deepEqual(resuming.next, slowly);
    assert.deepEqual(transition(resuming.state, waited).next, open(false, '20'), 'no list');
  });

  it('ends a watch like any other error: the next attempt decides', () => {
    const step = play(watching, ended({ error: failures.untrusted, durationMs: 5000 }));
    assert.deepEqual(step.next, open(false, '20'));
    assert.ok(!isBlocked(step));
  });
});
