import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deferred } from './deferred.ts';
import { PromptIterator } from './prompt-iterator.ts';
import { abortable } from './signal.ts';

function makeIterator() {
  const gates: Deferred<IteratorResult<string, void>>[] = [];
  const calls: string[] = [];
  const iterator = new PromptIterator<string>({
    pull: (stop) => {
      const gate = new Deferred<IteratorResult<string, void>>();
      gates.push(gate);
      return abortable(gate.promise, stop());
    },
    drop: (item) => calls.push(`drop ${item}`),
    end: () => calls.push('end'),
  });
  const give = (place: number, value: string): void =>
    gates[place]?.resolve({ done: false, value });
  return { iterator, gates, give, calls };
}

const over = { done: true, value: undefined };

describe('PromptIterator', () => {
  it('ends a next that waits when it is left', async () => {
    const { iterator, calls } = makeIterator();
    const waiting = iterator.next();
    assert.deepEqual(await iterator.return(), over);
    assert.deepEqual(await waiting, over);
    assert.deepEqual(await iterator.next(), over);
    await iterator.return();
    assert.deepEqual(calls, ['end']);
  });

  it('returns an item to the source that arrives after the end', async () => {
    const { iterator, give, calls } = makeIterator();
    const waiting = iterator.next();
    give(0, 'a');
    await iterator.return();
    assert.deepEqual(await waiting, over);
    // The signal may win, and then there was no item.
    assert.deepEqual(calls.slice(0, 1), ['end']);
    const patient = new PromptIterator<string>({
      pull: async () => ({ done: false, value: 'b' }),
      drop: (item) => calls.push(`drop ${item}`),
    });
    const late = patient.next();
    await patient[Symbol.asyncDispose]();
    assert.deepEqual(await late, over);
    assert.equal(calls.at(-1), 'drop b');
  });

  it('serves calls that do not wait for each other in order', async () => {
    const { iterator, gates, give } = makeIterator();
    const results = [iterator.next(), iterator.next()];
    assert.equal(gates.length, 1);
    give(0, 'a');
    assert.equal((await results[0])?.value, 'a');
    await Promise.resolve();
    give(1, 'b');
    assert.equal((await results[1])?.value, 'b');
  });

  it('ends with the source, or with its error, which is thrown once', async () => {
    const ending = makeIterator();
    const end = ending.iterator.next();
    ending.gates[0]?.resolve({ done: true, value: undefined });
    assert.deepEqual(await end, over);
    assert.deepEqual(ending.calls, ['end']);
    const failing = makeIterator();
    const failure = failing.iterator.next();
    failing.gates[0]?.reject(new Error('broken'));
    await assert.rejects(failure, /broken/);
    assert.deepEqual(await failing.iterator.next(), over);
    assert.deepEqual(failing.calls, ['end']);
  });

  it('takes what is ready without a pull, and ends with it', async () => {
    const ready: IteratorResult<number, void>[] = [
      { done: false, value: 1 },
      { done: true, value: undefined },
    ];
    let ends = 0;
    const iterator = new PromptIterator<number>({
      ready: () => ready.shift(),
      pull: () => assert.fail('pulled'),
      end: () => (ends += 1),
    });
    const seen: number[] = [];
    for await (const item of iterator) seen.push(item);
    assert.deepEqual([seen, ends], [[1], 1]);
  });
});
