import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import type { CustomResourceDefinition } from 'client-ts/api/apiextensions/v1';
import { cloneJson, isJsonObject, type JsonObject, type JsonValue } from 'client-ts/internal';
import { apiVersionOf, type KubernetesObject, type Status } from 'client-ts/meta';

import { canonicalObject, decodeTyped, strictDecodingError } from '../schema/decode.ts';
import { loadModel } from '../schema/model.ts';
import { parseJson } from '../schema/parse-json.ts';
import type { FieldError } from '../validation/field-error.ts';
import { type CustomResourceVersion, customResourceVersions } from './custom-resource.ts';
import {
  validateCustomResource,
  validateCustomResourceStatus,
  validateCustomResourceUpdate,
} from './custom-resource-rules.ts';
import { asVersion, decodeCustomResource, readStored } from './decode-custom.ts';
import { validateDefinition, validateDefinitionUpdate } from './definition-rules.ts';
import { definitionStatus } from './definition-status.ts';
import { definitionStrategy } from '../registry/kinds/apiextensions/custom-resource-definition.ts';

interface Exchange {
  readonly id: string;
  readonly request: { readonly method: string; readonly path: string; readonly body?: JsonValue };
  readonly response: {
    readonly status: number;
    readonly headers?: { readonly warning?: readonly string[] };
    readonly body?: JsonValue;
  };
}

function recorded(group: string): readonly Exchange[] {
  const file = new URL(`../../../conformance/recordings/${group}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { exchanges: Exchange[] }).exchanges;
}

const crdExchanges = recorded('crd');
const versionExchanges = recorded('crd-versions');
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const definitionSchema = loadModel().schemaFor({
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
});
assert.ok(definitionSchema);
const schema = definitionSchema;

function bodyText({ request: { body } }: Exchange): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

/** Returns the definition as a create prepares it for validation. */
function prepared(exchange: Exchange): CustomResourceDefinition {
  const { object } = decodeTyped(schema, parseJson(bodyText(exchange)));
  const crd = object as unknown as CustomResourceDefinition;
  definitionStrategy.setDefaults?.(crd);
  definitionStrategy.prepareForCreate?.(crd, undefined as never);
  return crd;
}

function find(exchanges: readonly Exchange[], id: string): Exchange {
  const exchange = exchanges.find((each) => each.id === id);
  assert.ok(exchange, id);
  return exchange;
}

/** Returns the causes as sorted text: a real server iterates over maps. */
function asTexts(errors: readonly Partial<FieldError>[]): string[] {
  return errors.map(({ reason, field, message }) => `${reason} ${field}: ${message}`).toSorted();
}

function recordedCauses({ response }: Exchange): string[] {
  const status = (
    typeof response.body === 'string' ? JSON.parse(response.body) : response.body
  ) as Status;
  return asTexts((status.details?.causes ?? []) as Partial<FieldError>[]);
}

/** Exchanges that need CEL, which this server does not evaluate. */
const needsCel = new Set([
  'crd-cel',
  'crd-cel-cost',
  'create-cel',
  'create-cel-message',
  'create-float',
]);

test('definitions are defaulted as recorded', () => {
  for (const exchange of [...crdExchanges, ...versionExchanges]) {
    const { request, response } = exchange;
    if (request.method !== 'POST' || request.path !== DEFINITIONS || response.status !== 201) {
      continue;
    }
    const crd = prepared(exchange);
    assert.deepEqual(validateDefinition(crd), [], exchange.id);
    const expected = response.body as unknown as CustomResourceDefinition;
    const { spec, status } = canonicalObject(schema, crd);
    assert.equal(JSON.stringify(spec), JSON.stringify(expected.spec), exchange.id);
    assert.equal(JSON.stringify(status), JSON.stringify(expected.status), exchange.id);
  }
});

test('invalid definitions are rejected for the recorded reasons', () => {
  let count = 0;
  for (const exchange of crdExchanges) {
    const { id, request, response } = exchange;
    if (request.method !== 'POST' || !request.path.startsWith(DEFINITIONS)) continue;
    if (response.status !== 422 || needsCel.has(id)) continue;
    assert.deepEqual(asTexts(validateDefinition(prepared(exchange))), recordedCauses(exchange), id);
    count++;
  }
  assert.ok(count >= 10, `${count} refusals`);
});

test('strict decoding finds unknown fields in a schema', () => {
  const exchange = find(crdExchanges, 'crd-unknown-field');
  const { findings } = decodeTyped(schema, parseJson(bodyText(exchange)));
  const { message } = exchange.response.body as Status;
  assert.ok(message?.endsWith(strictDecodingError(findings)));
});

test('fields that determine the storage are immutable', () => {
  const old = prepared(find(crdExchanges, 'crd-create'));
  old.metadata = { ...old.metadata, resourceVersion: '1', uid: 'u', generation: 1 };
  old.status = { ...old.status, ...definitionStatus(old, [], '2026-01-01T00:00:00Z') };
  for (const id of ['crd-change-group', 'crd-change-scope']) {
    const exchange = find(crdExchanges, id);
    const { object } = decodeTyped(schema, parseJson(bodyText(exchange)));
    const { spec } = object as unknown as CustomResourceDefinition;
    const crd: CustomResourceDefinition = { ...old, spec };
    assert.deepEqual(asTexts(validateDefinitionUpdate(crd, old)), recordedCauses(exchange), id);
  }
});

test('a stored version cannot be removed', () => {
  const old = prepared(find(versionExchanges, 'crd'));
  old.metadata = { ...old.metadata, resourceVersion: '1' };
  const crd = cloneJson(old);
  crd.spec.versions.splice(0, 1);
  Object.assign(crd.spec.versions[0] ?? {}, { storage: true, served: true });
  definitionStrategy.prepareForUpdate?.(crd, old, undefined as never);
  assert.deepEqual(
    asTexts(validateDefinitionUpdate(crd, old)),
    recordedCauses(find(versionExchanges, 'crd-drop-stored')),
  );
});

test('names and conditions of a definition are as recorded', () => {
  const now = '2026-11-15T04:05:29Z';
  const withStatus = (
    crd: CustomResourceDefinition,
    all: CustomResourceDefinition[],
  ): CustomResourceDefinition =>
    canonicalObject(schema, { ...crd, status: definitionStatus(crd, all, now) });
  const widgets = prepared(find(crdExchanges, 'crd-create'));
  const established = withStatus(widgets, [widgets]);
  const recordedWidgets = find(crdExchanges, 'crd-get').response
    .body as unknown as Required<CustomResourceDefinition>;
  assert.equal(JSON.stringify(established.status), JSON.stringify(recordedWidgets.status));

  const plans = prepared(find(versionExchanges, 'crd'));
  const establishedPlans = withStatus(plans, []);
  const others = prepared(find(versionExchanges, 'crd-conflict'));
  const refused = withStatus(others, [establishedPlans, others]);
  const recordedStatus = find(versionExchanges, 'crd-conflict-get').response.body as JsonObject;
  for (const condition of recordedStatus['conditions'] as JsonObject[]) {
    condition['lastTransitionTime'] = now;
  }
  assert.deepEqual(refused.status, recordedStatus);
  assert.equal(
    definitionStatus(refused, [establishedPlans], '2030-01-01T00:00:00Z'),
    refused.status,
    'nothing changes, so nothing is written',
  );
});

function versionsOf(exchanges: readonly Exchange[], id: string): CustomResourceVersion[] {
  return customResourceVersions(prepared(find(exchanges, id)));
}

/** Returns the version in the path of a custom resource. */
function versionFor(
  versions: readonly CustomResourceVersion[],
  path: string,
): CustomResourceVersion | undefined {
  return versions.find(({ group, version }) => path.startsWith(`/apis/${group}/${version}/`));
}

/** Removes metadata that the server sets. */
function withoutSystemFields(object: JsonObject): JsonObject {
  const { metadata, ...rest } = object;
  const { name, labels, finalizers } = isJsonObject(metadata) ? metadata : {};
  return { ...rest, metadata: { name, labels, finalizers } };
}

const families: [group: string, crd: string][] = [
  ['crd', 'crd-create'],
  ['crd-versions', 'crd'],
];

test('custom resources are decoded, pruned, defaulted and validated as recorded', () => {
  let created = 0;
  let refused = 0;
  for (const [group, crdId] of families) {
    const exchanges = recorded(group);
    const versions = versionsOf(exchanges, crdId);
    for (const exchange of exchanges) {
      const { id, request, response } = exchange;
      const version = versionFor(versions, request.path);
      if (request.method !== 'POST' || version === undefined || needsCel.has(id)) continue;
      if (!bodyText(exchange).startsWith('{"apiVersion":') || response.status === 409) continue;
      const { group, kind } = version;
      const schemaFor = (name: string): CustomResourceVersion['structural'] | undefined =>
        versions.find((each) => each.version === name)?.structural;
      const { object, findings } = decodeCustomResource(parseJson(bodyText(exchange)), {
        group,
        kind,
        schemaFor,
      });
      if (request.path.endsWith('Strict')) {
        const { message } = response.body as Status;
        assert.ok(message?.endsWith(strictDecodingError(findings)), id);
        continue;
      }
      if (!request.path.endsWith('Ignore') && response.status !== 422) {
        const warnings = findings.map((text) => `299 - ${JSON.stringify(text)}`);
        const texts = response.headers?.warning ?? [];
        assert.deepEqual(
          warnings,
          texts.filter((text) => !text.includes('deprecated')),
          id,
        );
        const deprecated = texts.filter((text) => text.includes('deprecated'));
        const own = version.deprecation;
        assert.deepEqual(deprecated, own === undefined ? [] : [`299 - ${JSON.stringify(own)}`]);
      }
      if (response.status === 400) continue;
      if (version.hasStatus) delete object['status'];
      const metadata = (object['metadata'] ?? {}) as JsonObject;
      if (version.scope === 'Namespaced') metadata['namespace'] = 'rec-crd';
      object['metadata'] = metadata;
      const errors = validateCustomResource(object, version);
      if (response.status === 422) {
        assert.deepEqual(asTexts(errors), recordedCauses(exchange), id);
        refused++;
      } else {
        assert.deepEqual(errors, [], id);
        const expected = response.body as JsonObject;
        assert.deepEqual(withoutSystemFields(object), withoutSystemFields(expected), id);
        assert.deepEqual(Object.keys(object), Object.keys(expected), `${id}: order of keys`);
        created++;
      }
    }
  }
  assert.ok(created >= 9, `${created} created`);
  assert.ok(refused >= 9, `${refused} refused`);
});

test('an invalid status is rejected as recorded', () => {
  const [version] = versionsOf(crdExchanges, 'crd-create');
  assert.ok(version);
  const exchange = find(crdExchanges, 'update-status-invalid');
  const object = JSON.parse(bodyText(exchange)) as JsonObject;
  const old = cloneJson(object);
  old['status'] = { phase: 'Up' };
  assert.deepEqual(
    asTexts(validateCustomResourceStatus(object, old, version)),
    recordedCauses(exchange),
  );
});

test('an update tolerates errors in unchanged fields', () => {
  const [version] = versionsOf(crdExchanges, 'crd-create');
  assert.ok(version);
  const old: JsonObject = {
    apiVersion: 'crd.rec.example.com/v1',
    kind: 'Widget',
    metadata: { name: 'a', namespace: 'x', resourceVersion: '1' },
    spec: { size: 99, color: 'red', tags: ['a', 'a'] },
  };
  const same = cloneJson(old);
  (same['spec'] as JsonObject)['color'] = 'green';
  assert.deepEqual(validateCustomResourceUpdate(same, old, version), []);
  (same['spec'] as JsonObject)['size'] = 98;
  assert.deepEqual(
    validateCustomResourceUpdate(same, old, version).map(({ field }) => field),
    ['spec.size'],
  );
});

test('reading another version defaults by the stored version and prunes by both', () => {
  const versions = versionsOf(versionExchanges, 'crd');
  const beta = versions.find(({ version }) => version === 'v1beta1');
  assert.ok(beta);
  const schemas = new Map(versions.map(({ version, structural }) => [version, structural]));
  const kind = { ...beta, schemaFor: (version: string) => schemas.get(version) };
  for (const [from, to] of [['create', 'get-v1beta1']] as const) {
    const stored = find(versionExchanges, from).response.body as KubernetesObject;
    const before = cloneJson(stored);
    const expected = find(versionExchanges, to).response.body;
    const view = asVersion(readStored(stored, kind), apiVersionOf(beta), kind);
    assert.equal(JSON.stringify(view), JSON.stringify(expected));
    assert.deepEqual(stored, before);
  }
});

test('versions are sorted by preference', () => {
  const versions = versionsOf(versionExchanges, 'crd');
  assert.deepEqual(
    versions.map(({ version, served, storage }) => [version, served, storage]),
    [
      ['v1', true, true],
      ['v1beta1', true, false],
      ['v1alpha1', false, false],
    ],
  );
  assert.deepEqual(
    versions.map(({ deprecation }) => deprecation),
    [
      undefined,
      'ver.rec.example.com/v1beta1 Plan is deprecated; use ver.rec.example.com/v1 Plan',
      'never use this',
    ],
  );
});
