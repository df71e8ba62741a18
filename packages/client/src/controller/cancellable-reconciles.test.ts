import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { onAbort } from '../lib/signal.ts';
import { cancellableReconciles } from './cancellable-reconciles.ts';

describe('cancellableReconciles', () => {
  for (const hasOwnSignals of [false, true]) {
    const whose = hasOwnSignals ? 'of its own' : 'that attempts share';
    it(`aborts a signal ${whose} with either`, async () => {
      const [attempts, cancel] = [new AbortController(), new AbortController()];
      const seen: AbortSignal[] = [];
      const options = { cancel: cancel.signal, hasOwnSignals };
      const cancellable = cancellableReconciles(options, async (_key, { signal }) => {
        seen.push(signal);
        await new Promise<void>((resolve) => void onAbort(signal, resolve));
      });
      const context = { signal: attempts.signal, attempt: 1 };
      const running = [cancellable.reconcile('a', context), cancellable.reconcile('b', context)];
      cancel.abort(new Error('lost'));
      for (const one of running) await one;
      assert.deepEqual(
        seen.map(({ reason }) => reason as unknown),
        [cancel.signal.reason, cancel.signal.reason],
      );
      assert.equal(seen[0] === seen[1], !hasOwnSignals);
      cancellable[Symbol.dispose]();
    });

    it(`leaves a signal ${whose} alone once it is disposed`, async () => {
      const [attempts, cancel] = [new AbortController(), new AbortController()];
      const seen: AbortSignal[] = [];
      const options = { cancel: cancel.signal, hasOwnSignals };
      const cancellable = cancellableReconciles(
        options,
        (_key, { signal }) => void seen.push(signal),
      );
      await cancellable.reconcile('a', { signal: attempts.signal, attempt: 1 });
      cancellable[Symbol.dispose]();
      cancel.abort();
      attempts.abort();
      assert.deepEqual(
        seen.map(({ aborted }) => aborted),
        [false],
      );
    });
  }

  it('leaves the signal alone if nothing else cancels', async () => {
    const { signal } = new AbortController();
    const seen: AbortSignal[] = [];
    using cancellable = cancellableReconciles(
      { cancel: undefined, hasOwnSignals: false },
      (_key, context) => void seen.push(context.signal),
    );
    await cancellable.reconcile('a', { signal, attempt: 1 });
    assert.deepEqual(seen, [signal]);
  });
});
