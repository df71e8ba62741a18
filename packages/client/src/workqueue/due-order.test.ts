import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Due, DueOrder } from './due-order.ts';

function dueAt(readyAt: number, order: number): Due {
  return { readyAt, order, heapIndex: -1, isDropped: false };
}

/** Removes the items one by one, first to last. */
function drain(order: DueOrder<Due>): Due[] {
  const items: Due[] = [];
  for (let first = order.peek(); first !== undefined; first = order.peek()) {
    order.remove(first);
    items.push(first);
  }
  return items;
}

function inOrder(items: Iterable<Due>): Due[] {
  return [...items].toSorted(
    (left, right) => left.readyAt - right.readyAt || left.order - right.order,
  );
}

describe('DueOrder', () => {
  it('has its items by time, then by the order of adding, whatever was removed', () => {
    const step = fc.record({ readyAt: fc.nat({ max: 50 }), removes: fc.boolean(), at: fc.nat() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const order = new DueOrder<Due>();
        const model: Due[] = [];
        for (const [index, { readyAt, removes, at }] of steps.entries()) {
          if (removes && model.length > 0) {
            const [item] = model.splice(at % model.length, 1);
            order.remove(item as Due);
          } else {
            const item = dueAt(readyAt, index);
            model.push(item);
            order.push(item);
          }
          assert.equal(order.size, model.length);
          assert.equal(order.peek(), inOrder(model)[0]);
        }
        assert.deepEqual(drain(order), inOrder(model));
      }),
    );
  });

  it('keeps the others when most of a long run is removed', () => {
    const order = new DueOrder<Due>();
    const items = Array.from({ length: 1000 }, (_, index) => dueAt(index, index));
    for (const item of items) order.push(item);
    const kept = items.filter((_, index) => index % 10 === 0);
    for (const item of items) if (!kept.includes(item)) order.remove(item);
    assert.equal(order.size, kept.length);
    assert.deepEqual(drain(order), kept);
    assert.equal(order.size, 0);
  });

  it('moves an item to an earlier time, or removes it for a copy to be pushed', () => {
    const order = new DueOrder<Due>();
    const [first, second] = [dueAt(10, 0), dueAt(20, 1)];
    const early = dueAt(5, 2);
    for (const item of [first, second, early]) order.push(item);
    assert.equal(order.advance(early, 1), true);
    assert.equal(order.advance(second, 2), false);
    const copy = dueAt(2, 3);
    order.push(copy);
    assert.deepEqual(drain(order), [early, copy, first]);
  });
});
