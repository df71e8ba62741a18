import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../lib/json.ts';
import type { DecodeFinding } from './message-decoder.ts';
import { decodeProtobuf, encodeProtobuf } from './protobuf.ts';
import { UNKNOWN_FIELDS, unknownFieldsOf } from './unknown-fields.ts';
import { BackwardWriter } from './wire/backward-writer.ts';
import { bytesTag, varintTag } from './wire/wire-reader.ts';

/** An envelope around bytes that no encoder of ours would write. */
function envelope(apiVersion: string, kind: string, raw: Uint8Array): Uint8Array {
  const writer = new BackwardWriter();
  writer.bytes(raw);
  writer.byte(bytesTag(2));
  const end = writer.written;
  writer.string(kind);
  writer.byte(bytesTag(2));
  writer.string(apiVersion);
  writer.byte(bytesTag(1));
  writer.uint32(writer.written - end);
  writer.byte(bytesTag(1));
  writer.raw(Buffer.from('k8s\0'));
  return writer.finish();
}

function message(write: (writer: BackwardWriter) => void): Uint8Array {
  const writer = new BackwardWriter();
  write(writer);
  return writer.finish();
}

/** A newer server's pod: field 900 in the pod, in its metadata, and in an inlined structure. */
function newerPod(): Uint8Array {
  const unknown = (writer: BackwardWriter): void => {
    writer.integer(5);
    writer.uint32(varintTag(900));
  };
  const raw = message((writer) => {
    unknown(writer);
    const source = message(unknown);
    const volume = message((inner) => {
      inner.bytes(source);
      inner.byte(bytesTag(2));
      inner.string('data');
      inner.byte(bytesTag(1));
    });
    const spec = message((inner) => {
      inner.bytes(volume);
      inner.byte(bytesTag(1));
    });
    writer.bytes(spec);
    writer.byte(bytesTag(2));
    writer.bytes(message(unknown));
    writer.byte(bytesTag(1));
  });
  return envelope('v1', 'Pod', raw);
}

test('fields of a newer server are reported, hidden from JSON, and written back', () => {
  const findings: DecodeFinding[] = [];
  const pod = decodeProtobuf(newerPod(), { report: (finding) => findings.push(finding) });
  assert.deepEqual(
    findings.map(({ finding, message }) => `${finding} ${message}`),
    ['unknown-field ObjectMeta', 'unknown-field VolumeSource', 'unknown-field Pod'],
  );
  assert.deepEqual(Object.keys(pod), ['kind', 'apiVersion', 'metadata', 'spec', 'status']);
  assert.ok(!JSON.stringify(pod).includes('900'));
  assert.equal(Buffer.from(unknownFieldsOf(pod) ?? []).toString('hex'), 'a03805');
  const { volumes } = pod['spec'] as { volumes: object[] };
  assert.deepEqual(Object.keys(volumes[0] ?? {}), ['name']);
  assert.equal(Buffer.from(unknownFieldsOf(volumes[0] ?? {}) ?? []).toString('hex'), '1203a03805');

  const metadata = { ...(pod['metadata'] as JsonObject), labels: { changed: 'true' } };
  const again: DecodeFinding[] = [];
  const written = decodeProtobuf(encodeProtobuf({ ...pod, metadata }), {
    report: (finding) => again.push(finding),
  });
  assert.deepEqual(again, findings);
  assert.deepEqual(written, { ...pod, metadata });
  assert.ok(UNKNOWN_FIELDS in written);
});
