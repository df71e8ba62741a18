import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodecError } from './codec-error.ts';
import { decodeWatchFrame, encodeProtobuf, encodeWatchFrame, watchFrameOf } from './protobuf.ts';

function refuses(run: () => unknown, code: string, ...words: string[]): void {
  assert.throws(run, (error) => {
    assert.ok(error instanceof CodecError, String(error));
    assert.equal(error.code, code);
    for (const word of words) assert.ok(error.message.includes(word), error.message);
    return true;
  });
}

test('a watch frame is its length, the type of the event and the object', () => {
  const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' } };
  const frame = encodeWatchFrame({ type: 'ADDED', object });
  assert.equal(Buffer.from(frame).readUInt32BE(0), frame.length - 4);
  assert.deepEqual(decodeWatchFrame(frame.subarray(4)), { type: 'ADDED', object });
  assert.deepEqual(watchFrameOf('ADDED', encodeProtobuf(object)), frame);
  refuses(() => decodeWatchFrame(new Uint8Array()), 'CODEC_MALFORMED');
  refuses(
    () => decodeWatchFrame(watchFrameOf('ADDED', Buffer.from('7')).subarray(4)),
    'CODEC_MALFORMED',
  );
  const json = watchFrameOf('ADDED', Buffer.from('{"kind":"Widget"}')).subarray(4);
  assert.deepEqual(decodeWatchFrame(json), { type: 'ADDED', object: { kind: 'Widget' } });
});
