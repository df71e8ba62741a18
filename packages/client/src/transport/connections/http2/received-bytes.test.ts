import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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

  it('shares memory with other streams again after it was read', () => {
    const shared = new SharedSlab();
    const [one, other] = [new ReceivedBytes(shared), new ReceivedBytes(shared)];
    const bytes = Buffer.from('abc');
    for (const received of [one, other, one]) received.append(bytes, 0, 3);
    takeAll(one);
    one.append(bytes, 0, 3);
    assert.equal(one.take()?.buffer, other.take()?.buffer);
  });
});
