import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { isJsonObject, type JsonObject, type JsonValue } from 'client-ts/internal';
import { parseApiVersion } from 'client-ts/meta';

import { canonicalObject, DecodeError, decodeTyped, strictDecodingError } from './decode.ts';
import { loadModel } from './model.ts';
import { parseJson } from './parse-json.ts';
import type { Schema } from './schema.ts';

interface Exchange {
  readonly id: string;
  readonly request: { readonly method: string; readonly path: string; readonly body?: JsonValue };
  readonly response: {
    readonly status?: number;
    readonly trimmed?: boolean;
    readonly headers?: { readonly warning?: readonly string[] };
    readonly body?: JsonValue;
    readonly events?: readonly { readonly frame?: JsonValue }[];
  };
}

const groups =
  'apply crd crd-versions crud-configmap crud-defaults crud-errors crud-kinds crud-params delete encodings list-selectors patch reviews semantics subresources watch watch-bookmarks'.split(
    ' ',
  );

const exchanges: readonly Exchange[] = groups.flatMap((group) => {
  const file = new URL(`../../../conformance/recordings/${group}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { exchanges: Exchange[] }).exchanges;
});

const model = loadModel();

function schemaOf(apiVersion: string, kind: string): Schema {
  const schema = model.schemaFor({ ...parseApiVersion(apiVersion), kind });
  assert.ok(schema, `${apiVersion} ${kind}`);
  return schema;
}

function decode(apiVersion: string, kind: string, text: string): JsonObject {
  return decodeTyped(schemaOf(apiVersion, kind), parseJson(text)).object;
}

/** Returns the built-in objects in recorded responses, including items of lists. */
function* recordedObjects(): Generator<readonly [id: string, schema: Schema, object: JsonObject]> {
  for (const { id, response } of exchanges) {
    if (response.trimmed === true) continue;
    const frames = (response.events ?? []).map(({ frame }) =>
      isJsonObject(frame) ? frame['object'] : undefined,
    );
    for (const body of [response.body, ...frames]) {
      if (!isJsonObject(body)) continue;
      const { apiVersion, kind, items } = body;
      if (typeof apiVersion !== 'string' || typeof kind !== 'string') continue;
      const schema = model.schemaFor({ ...parseApiVersion(apiVersion), kind });
      if (schema === undefined) continue;
      const item = schema.properties?.get('items')?.schema.items;
      if (item === undefined) yield [id, schema, body];
      else for (const each of items as JsonObject[]) yield [id, item, each];
    }
  }
}

test('every recorded object is already in canonical form, to the last byte', () => {
  let count = 0;
  for (const [id, schema, object] of recordedObjects()) {
    const text = JSON.stringify(object);
    const decoded = decodeTyped(schema, parseJson(text));
    assert.equal(JSON.stringify(decoded.object), text, id);
    assert.deepEqual(decoded.findings, [], id);
    count++;
  }
  assert.ok(count > 900, `${count} objects`);
});

/** Recorded rejections of bodies and, for accepted bodies, the recorded warnings. */
test('recorded bodies are rejected and warned about with the recorded messages', () => {
  const pattern = /^(\S+) in version "(\S+)" cannot be handled as a \S+: (.*)$/s;
  let refused = 0;
  let warned = 0;
  for (const { id, request, response } of exchanges) {
    if (!['POST', 'PUT'].includes(request.method) || request.body === undefined) continue;
    const text = typeof request.body === 'string' ? request.body : JSON.stringify(request.body);
    if (!text.startsWith('{')) continue;
    const { message } = (response.body ?? {}) as { message?: string };
    const expected = pattern.exec(message ?? '')?.[3] ?? '';
    const apiVersion = /"apiVersion":"([^"]+)"/.exec(text)?.[1] ?? '';
    const kind = /"kind":"([^"]+)"/.exec(text)?.[1] ?? '';
    const schema = model.schemaFor({ ...parseApiVersion(apiVersion), kind });
    if (schema === undefined) continue;
    if (/^(json: |parsing time|quantities|unable to parse|illegal)/.test(expected)) {
      assert.throws(() => decodeTyped(schema, parseJson(text)), { message: expected }, id);
      refused++;
    } else if (expected.startsWith('strict')) {
      const { findings } = decodeTyped(schema, parseJson(text));
      assert.equal(strictDecodingError(findings), expected, id);
      refused++;
    } else {
      const warnings = (response.headers?.warning ?? []).filter((text) =>
        /(unknown|duplicate) field/.test(text),
      );
      if (warnings.length === 0) continue;
      const { findings } = decodeTyped(schema, parseJson(text));
      const quoted = findings.map((text) => `299 - "${text.replaceAll('"', String.raw`\"`)}"`);
      assert.deepEqual(quoted, warnings, id);
      warned++;
    }
  }
  assert.ok(refused >= 20, `${refused} refused`);
  assert.ok(warned >= 4, `${warned} warned`);
});

test('values of the wrong type are named like on a real server', () => {
  const field = 'json: cannot unmarshal number into Go struct field';
  const quantity =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  const cases: [kind: string, body: string, message: string][] = [
    [
      'ConfigMap',
      '{"data":[]}',
      'json: cannot unmarshal array into Go struct field ConfigMap.data of type map[string]string',
    ],
    ['ConfigMap', '{"binaryData":{"a":"YQ="}}', 'illegal base64 data at input byte 3'],
    ['ConfigMap', '{"binaryData":{"a":5}}', `${field} ConfigMap.binaryData of type []uint8`],
    [
      'Pod',
      '{"spec":{"volumes":[{"emptyDir":5}]}}',
      `${field} Volume.spec.volumes.VolumeSource.emptyDir of type v1.EmptyDirVolumeSource`,
    ],
    [
      'Pod',
      '{"spec":{"containers":[{"livenessProbe":{"httpGet":{"scheme":1}}}]}}',
      `${field} HTTPGetAction.spec.containers.livenessProbe.ProbeHandler.httpGet.scheme of type v1.URIScheme`,
    ],
    [
      'Pod',
      '{"spec":{"containers":[{"resources":{"limits":5}}]}}',
      `${field} ResourceRequirements.spec.containers.resources.limits of type v1.ResourceList`,
    ],
    ['Pod', '{"spec":{"containers":[5]}}', `${field} PodSpec.spec.containers of type v1.Container`],
    [
      'PersistentVolume',
      '{"spec":{"accessModes":[1]}}',
      `${field} PersistentVolumeSpec.spec.accessModes of type v1.PersistentVolumeAccessMode`,
    ],
    [
      'Pod',
      '{"spec":{"tolerations":[{"tolerationSeconds":9223372036854775808}]}}',
      'json: cannot unmarshal number 9223372036854775808 into Go struct field Toleration.spec.tolerations.tolerationSeconds of type int64',
    ],
    ['Pod', '{"spec":{"containers":[{"resources":{"limits":{"cpu":true}}}]}}', quantity],
    // An error of a special type ends the decoding, and wins over an earlier error.
    [
      'Pod',
      '{"metadata":{"labels":{"a":1}},"spec":{"containers":[{"resources":{"limits":{"cpu":"x"}}}]}}',
      quantity,
    ],
    [
      'Pod',
      '{"metadata":{"labels":{"a":1},"annotations":{"a":true}}}',
      `${field} ObjectMeta.metadata.labels of type string`,
    ],
  ];
  for (const [kind, body, message] of cases) {
    assert.throws(() => decode('v1', kind, body), new DecodeError(message), body);
  }
});

test('schemas inside a CRD are decoded separately, and their errors are relative to the CRD', () => {
  const crd = (schema: string): string =>
    `{"spec":{"versions":[{"name":"v1","schema":{"openAPIV3Schema":${schema}}}]}}`;
  const decodeCrd = (schema: string): JsonObject =>
    decode('apiextensions.k8s.io/v1', 'CustomResourceDefinition', crd(schema));
  const path = 'JSONSchemaProps.spec.versions.schema.openAPIV3Schema';
  assert.throws(() => decodeCrd('{"items":{"x-kubernetes-validations":[{"rule":5}]}}'), {
    message: `json: cannot unmarshal number into Go struct field ${path}.items.x-kubernetes-validations.rule of type string`,
  });
  assert.throws(() => decodeCrd('{"additionalProperties":5}'), {
    message: 'boolean or JSON schema expected',
  });
  const text = crd(
    '{"items":{"nope":1},"properties":{"a":{"nope":1}},"additionalProperties":false}',
  );
  const schema = schemaOf('apiextensions.k8s.io/v1', 'CustomResourceDefinition');
  const { findings } = decodeTyped(schema, parseJson(text));
  assert.deepEqual(findings, [
    'unknown field "spec.versions[0].schema.openAPIV3Schema.properties.a.nope"',
  ]);
});

test('empty fields are dropped, kept or written as null, depending on the type', () => {
  assert.deepEqual(
    decode(
      'apps/v1',
      'Deployment',
      '{"spec":{"replicas":0,"paused":false,"minReadySeconds":0,"template":{"spec":{"containers":[],"nodeName":"","nodeSelector":{},"hostUsers":false}}},"status":{"conditions":[null]}}',
    ),
    {
      metadata: {},
      spec: {
        replicas: 0,
        selector: null,
        template: { metadata: {}, spec: { containers: null, hostUsers: false } },
        strategy: {},
      },
      status: {
        conditions: [{ type: '', status: '', lastUpdateTime: null, lastTransitionTime: null }],
      },
    },
  );
  assert.deepEqual(decode('v1', 'Secret', '{"data":{"b":null,"a":""}}').data, { a: '', b: '' });
});

test('null takes the default of the type and is no error', () => {
  assert.deepEqual(decode('v1', 'ConfigMap', 'null'), { metadata: {} });
  assert.deepEqual(decode('v1', 'Pod', '{"metadata":null,"spec":null,"status":null}'), {
    metadata: {},
    spec: { containers: null },
    status: {},
  });
  const limits = '{"spec":{"containers":[{"resources":{"limits":{"cpu":null}}}]}}';
  assert.deepEqual(decode('v1', 'Pod', limits)['spec'], {
    containers: [{ name: '', resources: { limits: { cpu: '0' } } }],
  });
});

test('the later value of a duplicate key is merged over the earlier one', () => {
  const schema = schemaOf('v1', 'ConfigMap');
  const text =
    '{"metadata":{"name":"a","labels":{"x":"1"}},"data":{"k":"1"},"metadata":{"labels":{"y":"2"},"nope":1,"nope":2},"data":{"k":"2","k":"3"}}';
  const { object, findings } = decodeTyped(schema, parseJson(text));
  assert.deepEqual(object, {
    metadata: { name: 'a', labels: { x: '1', y: '2' } },
    data: { k: '3' },
  });
  assert.deepEqual(findings, [
    'duplicate field "metadata"',
    'unknown field "metadata.nope"',
    'duplicate field "data"',
    'duplicate field "data.k"',
  ]);
});

test('at most a hundred findings are reported', () => {
  const fields = Array.from({ length: 150 }, (_, index) => `"f${index}":1`).join(',');
  const { findings } = decodeTyped(schemaOf('v1', 'ConfigMap'), parseJson(`{${fields}}`));
  assert.equal(findings.length, 100);
});

test('map keys are sorted, fields are in the order of the type', () => {
  const object = decode(
    'v1',
    'ConfigMap',
    '{"data":{"b":"2","__proto__":"x","a":"1"},"metadata":{"labels":{"z":"1","a":"2"},"name":"n"},"apiVersion":"v1","kind":"ConfigMap"}',
  );
  assert.equal(
    JSON.stringify(object),
    '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"n","labels":{"a":"2","z":"1"}},"data":{"__proto__":"x","a":"1","b":"2"}}',
  );
});

test('canonicalObject moves late fields to their places and does not modify the original', () => {
  const object = { spec: { containers: [{ name: 'a' }] }, metadata: { name: 'p' } };
  const before = structuredClone(object);
  const canonical = canonicalObject(schemaOf('v1', 'Pod'), { ...object, kind: 'Pod' });
  assert.equal(
    JSON.stringify(canonical),
    '{"kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"a","resources":{}}]},"status":{}}',
  );
  canonical.spec.containers.push({ name: 'b' });
  assert.deepEqual(object, before);
});
