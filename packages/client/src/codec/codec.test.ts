import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Codec, codecFor, jsonCodec, protobufCodec } from './codec.ts';
import { CodecError } from './codec-error.ts';

const configMap = {
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: 'settings', namespace: 'default', resourceVersion: '7' },
  data: { greeting: 'grüß Gott' },
};

function hasCode(code: string): (error: unknown) => boolean {
  return (error) => error instanceof CodecError && error.code === code;
}

test('a codec is chosen by media type, whatever its parameters', () => {
  assert.equal(codecFor('application/json'), jsonCodec);
  assert.equal(codecFor('Application/JSON; charset=utf-8'), jsonCodec);
  assert.equal(codecFor(jsonCodec.watchMediaType), jsonCodec);
  assert.equal(codecFor(protobufCodec.watchMediaType), protobufCodec);
  assert.throws(() => codecFor('text/html'), hasCode('CODEC_UNKNOWN_MEDIA_TYPE'));
});

for (const codec of [jsonCodec, protobufCodec] satisfies Codec[]) {
  test(`${codec.mediaType}: bodies and watch events come back as they were`, () => {
    assert.deepEqual(codec.decode(codec.encode(configMap)), configMap);
    const decoder = codec.watchDecoder();
    for (const type of ['ADDED', 'MODIFIED']) {
      decoder.push(codec.encodeWatchEvent({ type, object: configMap }));
    }
    assert.deepEqual(decoder.next(), { type: 'ADDED', object: configMap });
    assert.deepEqual(decoder.next(), { type: 'MODIFIED', object: configMap });
    assert.equal(decoder.next(), undefined);
    decoder.end();
  });

  test(`${codec.mediaType}: a watch that breaks off within an event says so`, () => {
    const decoder = codec.watchDecoder();
    decoder.push(codec.encodeWatchEvent({ type: 'ADDED', object: configMap }).subarray(0, -5));
    assert.equal(decoder.next(), undefined);
    assert.throws(() => decoder.end(), hasCode('CODEC_TRUNCATED'));
  });

  test(`${codec.mediaType}: the frame limit holds`, () => {
    const decoder = codec.watchDecoder({ maxFrameBytes: 20 });
    decoder.push(codec.encodeWatchEvent({ type: 'ADDED', object: configMap }));
    assert.throws(() => decoder.next(), hasCode('CODEC_FRAME_TOO_LARGE'));
  });
}

test('JSON that is not an object or not an event is refused without quoting it', () => {
  for (const text of ['', '{"secret', '[]', '"secret"', 'null']) {
    assert.throws(
      () => jsonCodec.decode(Buffer.from(text)),
      (error) => hasCode('CODEC_MALFORMED_JSON')(error) && !String(error).includes('secret'),
    );
  }
  const decoder = jsonCodec.watchDecoder();
  decoder.push(Buffer.from('{"kind":"Status"}\n'));
  assert.throws(() => decoder.next(), hasCode('CODEC_MALFORMED_JSON'));
});
