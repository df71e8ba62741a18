import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../lib/json.ts';
import type { DecodeFinding } from './message-decoder.ts';
import { hasUnknownFields, mutableCopy, UNKNOWN_FIELDS, unknownFieldsOf } from './mutable-copy.ts';
import { decodeProtobuf, encodeProtobuf } from './protobuf.ts';
import { newerPod } from './test-newer-pod.ts';

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

test('unknown fields are found at any depth, and a copy that can be changed keeps them', () => {
  const pod = decodeProtobuf(newerPod());
  const { spec } = pod;
  assert.ok(hasUnknownFields(pod));
  assert.ok(hasUnknownFields({ items: [{ spec }] }));
  assert.ok(!hasUnknownFields(JSON.parse(JSON.stringify(pod))));
  const itself: JsonObject = {};
  itself['itself'] = itself;
  assert.ok(!hasUnknownFields(itself));

  const copy = mutableCopy(pod);
  assert.deepStrictEqual(copy, pod);
  assert.deepEqual(encodeProtobuf(copy), encodeProtobuf(pod));
  unknownFieldsOf(copy)?.fill(0);
  assert.equal(Buffer.from(unknownFieldsOf(pod) ?? []).toString('hex'), 'a03805');
});
