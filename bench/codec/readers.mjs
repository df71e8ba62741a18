// One pod, in both encodings, and every way to read it.
import { readFileSync } from 'node:fs';
import {
  encodeProtobuf,
  jsonCodec,
  protobufCodec,
  readOnlyCodecFor,
  watchFrameOf,
} from 'client-ts/codec';
import { parse } from 'yaml';

const template = parse(readFileSync(new URL('../informers/pod.yaml', import.meta.url), 'utf8'));

function podOf(index) {
  const { metadata, spec } = template;
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      ...metadata,
      name: `web-6d4cf56db6-${String(index).padStart(6, '0')}`,
      uid: `0c6f3c2e-0000-4000-8000-${String(index).padStart(12, '0')}`,
      resourceVersion: String(10_000_000 + index),
    },
    spec: { ...spec, nodeName: `node-${String(index % 500).padStart(3, '0')}` },
    status: template.status,
  };
}

/** The frames of a watch event. */
export function encodings(index) {
  const pod = podOf(index);
  return {
    json: jsonCodec.encodeWatchEvent({ type: 'MODIFIED', object: pod }),
    protobuf: watchFrameOf('MODIFIED', encodeProtobuf(pod)),
  };
}

export const READERS = ['JSON.parse', 'read-only JSON', 'plain protobuf', 'read-only protobuf'];

/** A function that reads the nth pod, of as many as `distinct`, as a watch does. */
export function reader(name, distinct = 500) {
  const isJson = name.includes('JSON');
  const frames = Array.from({ length: distinct }, (_, index) => {
    const { json, protobuf } = encodings(index);
    return isJson ? json : protobuf;
  });
  if (name === 'JSON.parse') {
    return (index) => JSON.parse(frames[index % distinct].toString('utf8')).object;
  }
  const codec = isJson ? jsonCodec : protobufCodec;
  const decoder = name.startsWith('plain')
    ? codec.watchDecoder()
    : readOnlyCodecFor(codec.mediaType).watchDecoder();
  return (index) => {
    decoder.push(frames[index % distinct]);
    return decoder.next().object;
  };
}
