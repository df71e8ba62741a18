import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import fc from 'fast-check';

import { ReceivedBytes, SharedSlab } from './received-bytes.ts';

function takeAll(received: ReceivedBytes): Buffer[] {
  const pieces: Buffer[] = [];
  for (let piece = received.take(); piece !== null; piece = received.take()) pieces.push(piece);
  return pieces;
}

describe('ReceivedBytes', () => {
  it('keeps little more than its own bytes while other streams are read', () => {
    const shared = new SharedSlab();
    const slow = new ReceivedBytes(shared);
    const fast = new ReceivedBytes(shared);
    const sent: Buffer[] = [];
    for (let round = 0; round < 1000; round += 1) {
      const bytes = Buffer.alloc(1 + ((round * 37) % 2000), round);
      sent.push(bytes);
      slow.append(bytes, 0, bytes.length);
      for (let more = 0; more < 10; more += 1) {
        fast.append(Buffer.alloc(4000, more), 0, 4000);
        assert.deepEqual(fast.take(), Buffer.alloc(4000, more));
      }
    }
    const pieces = takeAll(slow);
    const whole = Buffer.concat(sent);
    assert.ok(Buffer.concat(pieces).equals(whole));
    const memory = new Set(pieces.map(({ buffer }) => buffer));
    const kept = [...memory].reduce((sum, { byteLength }) => sum + byteLength, 0);
    assert.ok(kept <= whole.length + 80 * 1024, `${kept} bytes are kept for ${whole.length}`);
  });

  it('joins what arrives in a row', () => {
    const received = new ReceivedBytes(new SharedSlab());
    const bytes = Buffer.from('one, two, three');
    received.append(bytes, 0, 5);
    received.append(bytes, 5, 10);
    received.append(bytes, 10, 15);
    assert.deepEqual(takeAll(received), [bytes]);
  });

  it('says what has arrived without a break', () => {
    const shared = new SharedSlab();
    const [one, other] = [new ReceivedBytes(shared), new ReceivedBytes(shared)];
    const holds = (text: string): boolean =>
      one.holds((bytes, start, end) => bytes.toString('latin1', start, end) === text);
    const bytes = Buffer.from('one, two');
    one.append(bytes, 0, 4);
    assert.ok(holds('one,'));
    assert.ok(!holds('one'));
    one.append(bytes, 4, 8);
    assert.ok(holds('one, two'));
    other.append(bytes, 0, 4);
    one.append(bytes, 0, 4);
    assert.ok(holds('anything'), 'it lies in two places');
  });

  it('shares memory with other streams again after it was read', () => {
    const shared = new SharedSlab();
    const [one, other] = [new ReceivedBytes(shared), new ReceivedBytes(shared)];
    const bytes = Buffer.from('abc');
    for (const received of [one, other, one]) received.append(bytes, 0, 3);
    takeAll(one);
    one.append(bytes, 0, 3);
    assert.equal(one.take()?.buffer, other.take()?.buffer);
  });

  it('uses the memory of what is no longer needed again', () => {
    const received = new ReceivedBytes(new SharedSlab());
    const append = (): Buffer | null => {
      received.append(Buffer.alloc(40_000), 0, 40_000);
      return received.take();
    };
    const first = append();
    received.reuse();
    const second = append();
    assert.equal(second?.buffer, first?.buffer);
    assert.equal(second?.byteOffset, first?.byteOffset);
    // Not returned: it stays as it is.
    assert.notEqual(append()?.buffer, second?.buffer);
  });

  it('uses the memory of full slabs again when they are returned', () => {
    const received = new ReceivedBytes(new SharedSlab());
    const receive = (): Set<ArrayBufferLike> => {
      const memory = new Set<ArrayBufferLike>();
      for (let nth = 0; nth < 10; nth += 1) received.append(Buffer.alloc(40_000, nth), 0, 40_000);
      for (let nth = 0; nth < 10; nth += 1) {
        const piece = received.take();
        assert.deepEqual(piece, Buffer.alloc(40_000, nth));
        memory.add(piece.buffer);
        received.reuse();
      }
      return memory;
    };
    const first = receive();
    assert.equal(first.size, 10);
    assert.deepEqual(receive(), first);
  });

  it('does not take what is returned of a full slab for a part of the next one', () => {
    const shared = new SharedSlab();
    const [one, other] = [new ReceivedBytes(shared), new ReceivedBytes(shared)];
    const receive = (received: ReceivedBytes, byte: number, size = 40_000): Buffer | null => {
      received.append(Buffer.alloc(size, byte), 0, size);
      return received.take();
    };
    receive(one, 1);
    const held = receive(other, 2);
    one.reuse();
    receive(one, 3, 100);
    assert.deepEqual(held, Buffer.alloc(40_000, 2));
    const last = receive(other, 4);
    receive(one, 5, 100);
    one.reuse();
    receive(one, 6, 100);
    assert.deepEqual(last, Buffer.alloc(40_000, 4));
  });

  it('overwrites nothing that a reader has not returned, whatever other streams do', () => {
    const step = fc.record({
      stream: fc.nat(3),
      action: fc.constantFrom('append', 'append', 'take', 'take', 'reuse', 'forget'),
      size: fc.oneof(fc.nat(30_000), fc.nat(200)),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const shared = new SharedSlab();
        const streams = Array.from({ length: 4 }, () => ({
          received: new ReceivedBytes(shared),
          sent: [] as Buffer[],
          held: [] as Buffer[],
        }));
        for (const [nth, { stream, action, size }] of steps.entries()) {
          const one = streams[stream];
          assert.ok(one !== undefined);
          if (action === 'append') {
            const bytes = Buffer.alloc(size, nth + 1);
            one.received.append(bytes, 0, size);
            one.sent.push(bytes);
          } else if (action === 'take') one.held.push(one.received.take() ?? Buffer.alloc(0));
          else if (action === 'reuse') {
            // What was read until now is compared a last time.
            const held = Buffer.concat(one.held.splice(0));
            const sent = Buffer.concat(one.sent.splice(0));
            assert.ok(sent.subarray(0, held.length).equals(held));
            one.sent.push(sent.subarray(held.length));
            one.received.reuse();
          } else {
            one.received = new ReceivedBytes(shared);
            one.sent.splice(0);
            one.held.splice(0);
          }
        }
        for (const { received, sent, held } of streams) {
          assert.ok(Buffer.concat([...held, ...takeAll(received)]).equals(Buffer.concat(sent)));
        }
      }),
      { numRuns: 1000 },
    );
  });
});
