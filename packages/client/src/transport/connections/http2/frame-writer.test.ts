import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { nextTurn } from '../../../lib/next-turn.ts';
import { FrameWriter } from './frame-writer.ts';
import { FRAMES } from './frames.ts';
import { frame } from './test-frame-peer.ts';

/** A socket without a connection that keeps what is written to it. */
class Sink extends Socket {
  readonly writes: Buffer[] = [];

  override _write(chunk: Buffer, _: unknown, callback: () => void): void {
    this.writes.push(chunk);
    callback();
  }
}

describe('a frame writer', () => {
  it('sends all frames of one turn in one write, those of promises too', async () => {
    const sink = new Sink();
    const writer = new FrameWriter(sink);
    writer.settingsAck();
    await Promise.resolve();
    writer.data(1, Buffer.from('data'), true);
    assert.deepEqual(sink.writes, []);
    assert.equal(writer.queued, 22);
    await nextTurn();
    const expected = Buffer.concat([
      frame(FRAMES.SETTINGS, 1, 0),
      frame(FRAMES.DATA, 1, 1, 'data'),
    ]);
    assert.deepEqual(sink.writes, [expected]);
    writer.resetStream(1, 8);
    await nextTurn();
    assert.equal(sink.writes.length, 2);
  });

  it('does not change what was written before, however much follows', async () => {
    const sink = new Sink();
    const writer = new FrameWriter(sink);
    const expected: Buffer[] = [];
    for (let round = 0; round < 50; round += 1) {
      const payload = Buffer.alloc(round * 997, round);
      writer.data(round * 2 + 1, payload, false);
      expected.push(frame(FRAMES.DATA, 0, round * 2 + 1, payload));
      if (round % 7 === 0) await nextTurn();
    }
    await nextTurn();
    assert.deepEqual(Buffer.concat(sink.writes), Buffer.concat(expected));
  });
});
