import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../lib/json.ts';
import { CodecError } from './codec-error.ts';
import { markConstant } from './constants.ts';
import type { DecodeFinding } from './message-decoder.ts';
import { decodeProtobuf, encodeProtobuf } from './protobuf.ts';
import { envelope, message } from './test-newer-pod.ts';
import { bytesTag } from './wire/wire-reader.ts';

function roundTrip(object: object): JsonObject {
  return decodeProtobuf(encodeProtobuf(object));
}

function refuses(run: () => unknown, code: string, ...words: string[]): void {
  assert.throws(run, (error) => {
    assert.ok(error instanceof CodecError, String(error));
    assert.equal(error.code, code);
    for (const word of words) assert.ok(error.message.includes(word), error.message);
    return true;
  });
}

test('a field that is no pointer and empty is left out, a pointer to zero is kept', () => {
  const lease = {
    kind: 'Lease',
    apiVersion: 'coordination.k8s.io/v1',
    metadata: { name: '', generation: 0, labels: {}, finalizers: [] },
    spec: { holderIdentity: '', leaseTransitions: 0 },
  };
  assert.deepEqual(roundTrip(lease), {
    kind: 'Lease',
    apiVersion: 'coordination.k8s.io/v1',
    metadata: {},
    spec: { holderIdentity: '', leaseTransitions: 0 },
  });
});

test('what JSON always shows is there even if the wire leaves it out', () => {
  const nothing = new Uint8Array();
  assert.deepEqual(decodeProtobuf(envelope('v1', 'Event', nothing)), {
    kind: 'Event',
    apiVersion: 'v1',
    metadata: {},
    involvedObject: {},
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
    eventTime: null,
    reportingComponent: '',
    reportingInstance: '',
  });
  const role = decodeProtobuf(envelope('rbac.authorization.k8s.io/v1', 'Role', nothing));
  assert.equal(role['rules'], null);
  assert.deepEqual(decodeProtobuf(envelope('v1', 'PodList', nothing))['items'], []);
  const scale = decodeProtobuf(envelope('autoscaling/v1', 'Scale', nothing));
  assert.deepEqual(scale['status'], { replicas: 0 });
  const slice = { kind: 'ResourceSlice', apiVersion: 'resource.k8s.io/v1' };
  const withMap = { ...slice, spec: { devices: [{ name: 'd', capacity: { mem: null } }] } };
  assert.deepEqual((roundTrip(withMap)['spec'] as JsonObject)['devices'], [
    { name: 'd', capacity: { mem: { value: '0' } } },
  ]);
});

test('the types with a wire shape of their own keep their JSON', () => {
  const service = {
    kind: 'Service',
    apiVersion: 'v1',
    metadata: { creationTimestamp: '2026-01-31T10:00:00+01:00' },
    spec: { ports: [{ port: 1, targetPort: 0 }, { port: 2, targetPort: 'http' }, { port: 3 }] },
  };
  const decoded = roundTrip(service);
  assert.deepEqual(decoded['metadata'], { creationTimestamp: '2026-01-31T09:00:00Z' });
  assert.deepEqual((decoded['spec'] as JsonObject)['ports'], [
    { port: 1, targetPort: 0 },
    { port: 2, targetPort: 'http' },
    { port: 3, targetPort: 0 },
  ]);

  const quota = {
    kind: 'ResourceQuota',
    apiVersion: 'v1',
    spec: { hard: { cpu: 2, memory: '1Gi' } },
  };
  assert.deepEqual(roundTrip(quota)['spec'], { hard: { cpu: '2', memory: '1Gi' } });

  const review = {
    kind: 'TokenReview',
    apiVersion: 'authentication.k8s.io/v1',
    status: { user: { extra: { scopes: ['a', ''], none: [] } } },
  };
  assert.deepEqual(roundTrip(review)['status'], review.status);

  const secret = { kind: 'Secret', apiVersion: 'v1', data: { a: '//79', b: '', c: null } };
  assert.deepEqual(roundTrip(secret)['data'], { a: '//79', b: '', c: '' });
  // Go writes an entry without a value for null, and an empty value for an empty one.
  const entries = Buffer.from(encodeProtobuf(secret)).toString('hex');
  assert.ok(entries.includes('12050a0162120012030a0163'));
});

test('zero times are no times', () => {
  const zero = '0001-01-01T00:00:00Z';
  const node = {
    kind: 'Node',
    apiVersion: 'v1',
    metadata: { creationTimestamp: zero },
    status: { conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime: zero }] },
  };
  const decoded = roundTrip(node);
  assert.deepEqual(decoded['metadata'], {});
  assert.deepEqual((decoded['status'] as JsonObject)['conditions'], [
    { type: 'Ready', status: 'True', lastHeartbeatTime: null, lastTransitionTime: null },
  ]);
});

test('schemas of CRDs keep their unions and raw values', () => {
  const schema = {
    default: { a: [1, null, 'x'] },
    enum: ['a', null, 0],
    items: { type: 'string' },
    additionalProperties: true,
    additionalItems: { type: 'integer' },
    dependencies: { a: ['b'], c: { type: 'object' } },
    not: { items: [{ type: 'string' }, { additionalProperties: false }] },
    maximum: 0,
    minimum: -1.5,
    $ref: '',
    'x-kubernetes-int-or-string': true,
  };
  const crd = {
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }] },
  };
  const spec = roundTrip(crd)['spec'] as { versions: { schema: JsonObject }[] };
  assert.deepEqual(spec.versions[0]?.schema['openAPIV3Schema'], schema);
});

test('maps may have any key', () => {
  const data = JSON.parse('{"__proto__":"polluted","constructor":"x","":"empty"}') as JsonObject;
  const decoded = roundTrip({ kind: 'ConfigMap', apiVersion: 'v1', data })['data'] as JsonObject;
  assert.deepEqual(Object.keys(decoded), ['', '__proto__', 'constructor']);
  assert.deepEqual(new Map(Object.entries(decoded)), new Map(Object.entries(data)));
  assert.equal(Object.getPrototypeOf(decoded), Object.prototype);
});

test('a message in several pieces is merged', () => {
  const raw = message((writer) => {
    const piece = (write: () => void): void => {
      const end = writer.written;
      write();
      writer.uint32(writer.written - end);
      writer.byte(bytesTag(1));
    };
    // Written backwards: the second piece first.
    piece(() => {
      writer.string('');
      writer.byte(bytesTag(3));
      writer.string('uid');
      writer.byte(bytesTag(5));
    });
    piece(() => {
      writer.string('namespace');
      writer.byte(bytesTag(3));
      writer.string('name');
      writer.byte(bytesTag(1));
    });
  });
  assert.deepEqual(decodeProtobuf(envelope('v1', 'ConfigMap', raw))['metadata'], {
    name: 'name',
    uid: 'uid',
  });
});

test('packed lists of numbers are decoded', () => {
  const packed = message((writer) => {
    const context = message((inner) => {
      inner.bytes(Buffer.from([1, 0x80, 1]));
      inner.byte(bytesTag(4));
    });
    const spec = message((inner) => {
      inner.bytes(context);
      inner.byte(bytesTag(14));
    });
    writer.bytes(spec);
    writer.byte(bytesTag(2));
  });
  const pod = decodeProtobuf(envelope('v1', 'Pod', packed));
  const { securityContext } = pod['spec'] as JsonObject;
  assert.deepEqual(securityContext, { supplementalGroups: [1, 128] });
});

test('integers beyond 2^53 are reported when read, and written only if they are exact', () => {
  const pod = (seconds: unknown): object => ({
    kind: 'Pod',
    apiVersion: 'v1',
    spec: { activeDeadlineSeconds: seconds },
  });
  const findings: DecodeFinding[] = [];
  const bytes = encodeProtobuf(pod(2n ** 63n - 1n));
  const decoded = decodeProtobuf(bytes, { report: (finding) => findings.push(finding) });
  assert.equal((decoded['spec'] as JsonObject)['activeDeadlineSeconds'], 2 ** 63);
  assert.deepEqual(findings, [
    {
      finding: 'inexact-integer',
      message: 'PodSpec',
      field: 'activeDeadlineSeconds',
      value: 2n ** 63n - 1n,
    },
  ]);
  refuses(() => encodeProtobuf(decoded), 'CODEC_INEXACT_INTEGER', 'spec.activeDeadlineSeconds');
  refuses(() => encodeProtobuf(pod(2n ** 63n)), 'CODEC_INVALID_VALUE');
  refuses(() => encodeProtobuf(pod(1.5)), 'CODEC_INVALID_VALUE');
  assert.deepEqual(
    roundTrip(pod(Number.MIN_SAFE_INTEGER))['spec'],
    decodeProtobuf(encodeProtobuf(pod(BigInt(Number.MIN_SAFE_INTEGER))))['spec'],
  );
});

test('a field that protobuf has no place for is refused, or dropped on demand', () => {
  const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { labls: {} }, data: {} };
  refuses(() => encodeProtobuf(object), 'CODEC_UNKNOWN_FIELD', 'metadata.labls', 'ObjectMeta');
  const dropped = decodeProtobuf(encodeProtobuf(object, { unknownFields: 'drop' }));
  assert.deepEqual(dropped, { kind: 'ConfigMap', apiVersion: 'v1', metadata: {} });
  const fine = { ...object, metadata: { labls: undefined } };
  assert.deepEqual(roundTrip(fine)['metadata'], {});
  const list = { kind: 'PodList', apiVersion: 'v1', items: [{ kind: 'Pod', apiVersion: 'v1' }] };
  assert.equal((roundTrip(list)['items'] as object[]).length, 1);
});

test('a value that does not fit its field is refused by its path, and not shown', () => {
  const cases: [object, string][] = [
    [{ spec: { containers: [{ name: 'a' }, { name: 7 }] } }, 'spec.containers[1].name'],
    [{ spec: { containers: { name: 'secret' } } }, 'spec.containers'],
    [{ spec: 'secret' }, 'spec'],
    [{ spec: { priority: 2 ** 31 } }, 'spec.priority'],
    [{ spec: { hostNetwork: 'secret' } }, 'spec.hostNetwork'],
    [{ spec: { nodeSelector: { a: 1 } } }, 'spec.nodeSelector.a'],
    [{ spec: { nodeSelector: ['secret'] } }, 'spec.nodeSelector'],
    [{ spec: { overhead: { cpu: true } } }, 'spec.overhead.cpu'],
    [{ metadata: { creationTimestamp: 'secret' } }, 'metadata.creationTimestamp'],
    [{ spec: { containers: [{ ports: [{ containerPort: 1.5 }] }] } }, 'ports[0].containerPort'],
    [{ spec: { containers: [{ livenessProbe: { httpGet: { port: true } } }] } }, 'httpGet.port'],
  ];
  for (const [fields, path] of cases) {
    const pod = { kind: 'Pod', apiVersion: 'v1', ...fields };
    refuses(() => encodeProtobuf(pod), 'CODEC_INVALID_VALUE', path);
    assert.throws(
      () => encodeProtobuf(pod),
      (error) => !String(error).includes('secret'),
    );
  }
  const secret = (a: string): object => ({ kind: 'Secret', apiVersion: 'v1', data: { a } });
  for (const text of ['%', 'abc', 'ab=c', 'abcde===']) {
    refuses(() => encodeProtobuf(secret(text)), 'CODEC_INVALID_VALUE', 'data.a');
  }
  assert.deepEqual(roundTrip(secret('AA\r\nEC'))['data'], { a: 'AAEC' });
});

test('managed fields with an empty set of fields keep it', () => {
  const managedFields = [{ manager: 'a', operation: 'Apply', fieldsV1: null }];
  const pod = { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p', managedFields } };
  const decoded = decodeProtobuf<{ metadata: { managedFields: object[] } }>(encodeProtobuf(pod));
  assert.equal(Object.hasOwn(decoded.metadata.managedFields[0] ?? {}, 'fieldsV1'), true);
  assert.deepEqual(encodeProtobuf(decoded), encodeProtobuf(pod));
});

test('the bytes do not depend on the order of keys, nor on keys that are undefined', () => {
  const maps = [
    { data: { b: '2', a: '1' }, immutable: true, metadata: { namespace: 'n', name: 'm' } },
    { metadata: { name: 'm', namespace: 'n' }, immutable: true, data: { a: '1', b: '2' } },
    {
      metadata: { name: 'm', namespace: 'n', uid: undefined },
      immutable: true,
      data: { a: '1', b: '2', c: undefined },
    },
  ];
  const all = maps.map((map) => encodeProtobuf({ kind: 'ConfigMap', apiVersion: 'v1', ...map }));
  for (const bytes of all) assert.deepEqual(bytes, all[0]);
});

test('what an object inherits is not part of it, whatever was encoded before', () => {
  const type = { kind: 'ConfigMap', apiVersion: 'v1' };
  const heir = Object.assign(Object.create({ data: { a: '1' } }) as object, type);
  encodeProtobuf({ ...type, data: { a: '1' } });
  assert.deepEqual(encodeProtobuf(heir), encodeProtobuf(type));
});

test('objects of one type may have more sets of keys than are planned for', () => {
  const names = ['name', 'generateName', 'namespace', 'uid', 'resourceVersion'];
  const shapes = Array.from({ length: 2 ** names.length }, (_, bits) =>
    Object.fromEntries(names.filter((_name, bit) => bits & (1 << bit)).map((name) => [name, name])),
  );
  for (const metadata of [...shapes, ...shapes]) {
    assert.deepEqual(
      roundTrip({ kind: 'ConfigMap', apiVersion: 'v1', metadata })['metadata'],
      metadata,
    );
  }
});

test('a constant has the same bytes as any other value, in whatever field it is', () => {
  const fieldsV1 = { 'f:data': { 'f:ä': {} } };
  const containers = [{ name: 'c', image: 'i' }, { name: 'd' }];
  const labels = { b: '2', a: '1' };
  const pod = (): object => ({
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { labels, annotations: labels, managedFields: [{ manager: 'm', fieldsV1 }] },
    spec: { containers, initContainers: containers, nodeSelector: labels },
  });
  const bytes = encodeProtobuf(structuredClone(pod()));
  for (const constant of [fieldsV1, containers, labels]) markConstant(constant);
  for (const _ of [1, 2, 3]) assert.deepEqual(encodeProtobuf(pod()), bytes);
});

test('a constant with a field that is dropped is still refused', () => {
  const spec = { nope: 1 };
  markConstant(spec);
  const pod = { kind: 'Pod', apiVersion: 'v1', spec };
  for (const _ of [1, 2]) {
    encodeProtobuf(pod, { unknownFields: 'drop' });
    refuses(() => encodeProtobuf(pod), 'CODEC_UNKNOWN_FIELD', 'spec.nope');
  }
});
