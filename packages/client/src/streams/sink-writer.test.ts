import assert from 'node:assert/strict';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { SinkWriter, takesBorrowedBytes } from './sink-writer.ts';

/** A flow that notes its calls. */
function noted(): { readonly calls: string[]; pause(): void; resume(): void } {
  const calls: string[] = [];
  return { calls, pause: () => void calls.push('pause'), resume: () => void calls.push('resume') };
}

describe('SinkWriter', () => {
  it('writes to a file what it is given, in order, and leaves the file open', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sink-'));
    const path = join(folder, 'file');
    const file = createWriteStream(path);
    const writer = new SinkWriter(file, noted());
    const memory = Buffer.alloc(16_384);
    let expected = '';
    for (const letter of 'abcdefghijklmnop') {
      memory.fill(letter);
      expected += String(memory);
      writer.write(memory);
    }
    writer.end();
    await writer.written;
    assert.equal(file.writableEnded, false);
    assert.equal(await readFile(path, 'utf8'), expected);
    await new Promise<void>((resolve) => file.end(resolve));
    await rm(folder, { recursive: true });
  });

  it('pauses the flow while the sink is behind, and continues when it is not', async () => {
    const waiting: (() => void)[] = [];
    const sink = new Writable({ write: (_chunk, _, callback) => void waiting.push(callback) });
    const flow = noted();
    const writer = new SinkWriter(sink, flow);
    writer.write(Buffer.alloc(250_000));
    writer.flush();
    assert.deepEqual(flow.calls, []);
    writer.write(Buffer.alloc(50_000));
    writer.flush();
    assert.deepEqual(flow.calls, ['pause']);
    assert.equal(writer.isFull, true);
    for (let taken = 0; writer.isFull; taken += 1) {
      assert.ok(taken < 10);
      waiting.shift()?.();
      await new Promise(setImmediate);
    }
    assert.deepEqual(flow.calls, ['pause', 'resume']);
  });

  it('fails with the error of the sink', async () => {
    const sink = new Writable({
      write: (_chunk, _, callback) => callback(new Error('the disk is full')),
    });
    const writer = new SinkWriter(sink, noted());
    writer.write(Buffer.from('x'));
    writer.end();
    await assert.rejects(writer.written, /the disk is full/);
  });

  it('fails if the sink is closed before everything is written', async () => {
    const sink = new Writable({ write: () => undefined });
    const writer = new SinkWriter(sink, noted());
    sink.destroy();
    await assert.rejects(writer.written, { code: 'STREAMS_CLOSED' });
  });

  it('leaves no listeners behind', async () => {
    const sink = new Writable({ write: (_chunk, _, callback) => callback() });
    const writer = new SinkWriter(sink, noted());
    writer.write(Buffer.from('x'));
    writer.end();
    await writer.written;
    assert.equal(sink.listenerCount('error') + sink.listenerCount('close'), 0);
  });
});

describe('takesBorrowedBytes', () => {
  it('is true for sockets, files and the output of the process, and for no other stream', () => {
    assert.equal(takesBorrowedBytes(new Socket()), true);
    assert.equal(takesBorrowedBytes(process.stdout), true);
    assert.equal(takesBorrowedBytes(new PassThrough()), false);
    assert.equal(takesBorrowedBytes(new WritableStream()), false);
  });
});
