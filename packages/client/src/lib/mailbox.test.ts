import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Mailbox } from './mailbox.ts';

async function readAll<T>(mailbox: Mailbox<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of mailbox) items.push(item);
  return items;
}

describe('Mailbox', () => {
  it('delivers in order, also items from before the reader started', async () => {
    const mailbox = new Mailbox<number>();
    mailbox.offer(1);
    const reading = readAll(mailbox);
    mailbox.offer(2);
    await Promise.resolve();
    mailbox.offer(3);
    mailbox.close();
    assert.deepEqual(await reading, [1, 2, 3]);
  });

  it('wakes a reader that waits', async () => {
    const mailbox = new Mailbox<string>();
    const iterator = mailbox[Symbol.asyncIterator]();
    const waiting = iterator.next();
    mailbox.offer('a');
    assert.deepEqual(await waiting, { done: false, value: 'a' });
    const ending = iterator.next();
    mailbox.close();
    assert.deepEqual(await ending, { done: true, value: undefined });
  });

  it('refuses what does not fit', async () => {
    const mailbox = new Mailbox<number>({ capacity: 2 });
    assert.deepEqual(
      [1, 2, 3].map((item) => mailbox.offer(item)),
      [true, true, false],
    );
    assert.equal(mailbox.size, 2);
    const iterator = mailbox[Symbol.asyncIterator]();
    assert.equal((await iterator.next()).value, 1);
    assert.ok(mailbox.offer(4));
    mailbox.close();
    assert.deepEqual(await readAll(mailbox), [2, 4]);
  });

  it('delivers the remaining items before it ends', async () => {
    const mailbox = new Mailbox<number>();
    mailbox.offer(1);
    mailbox.close();
    assert.ok(mailbox.isClosed);
    assert.equal(mailbox.offer(2), false);
    assert.deepEqual(await readAll(mailbox), [1]);
  });

  it('ends with the first error it is closed with', async () => {
    const mailbox = new Mailbox<number>();
    mailbox.offer(1);
    mailbox.close(new Error('broken'));
    mailbox.close(new Error('later'));
    const iterator = mailbox[Symbol.asyncIterator]();
    assert.equal((await iterator.next()).value, 1);
    await assert.rejects(iterator.next(), /broken/);
  });

  it('throws what it is closed with while the reader waits', async () => {
    const mailbox = new Mailbox<number>();
    const reading = readAll(mailbox);
    mailbox.close(new Error('broken'));
    await assert.rejects(reading, /broken/);
  });

  it('closes when the reader leaves', async () => {
    const mailbox = new Mailbox<number>();
    mailbox.offer(1);
    for await (const item of mailbox) {
      assert.equal(item, 1);
      break;
    }
    assert.ok(mailbox.isClosed);
    assert.equal(mailbox.offer(2), false);
  });

  it('drops what waits when disposed', async () => {
    const mailbox = new Mailbox<number>();
    mailbox.offer(1);
    mailbox[Symbol.dispose]();
    assert.equal(mailbox.size, 0);
    assert.deepEqual(await readAll(mailbox), []);
  });
});
