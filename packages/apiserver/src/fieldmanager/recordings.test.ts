import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { isJsonObject, type JsonObject } from 'client-ts/internal';
import {
  apiVersionOf,
  type KubernetesObject,
  type ManagedFieldsEntry,
  type Status,
  apiErrorOf,
} from 'client-ts/meta';
import { loadModel } from '../schema/model.ts';
import type { Schema } from '../schema/schema.ts';
import { difference, type FieldSet, pathsOf } from './field-set.ts';
import { managerName } from './managers.ts';
import { applyManaged, updateManagedFields } from './manager.ts';
import { formatPath } from './path-element.ts';
import { resetFieldsOf } from './reset-fields.ts';
import { schemaFrom, type SchemaSource } from './test-schema.ts';

interface Exchange {
  readonly id: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  readonly response: { readonly status: number; readonly body?: unknown };
}

/** A recorded write, with what the field manager needs. */
interface Write {
  readonly exchange: Exchange;
  readonly isApply: boolean;
  readonly force: boolean;
  readonly live: KubernetesObject | undefined;
  readonly kind: string;
  readonly common: {
    readonly schema: Schema;
    readonly apiVersion: string;
    readonly manager: string;
    readonly subresource: string;
    readonly now: string;
    readonly resetFields?: (set: FieldSet) => FieldSet;
  };
}

interface Resource {
  readonly kind: string;
  readonly schema: Schema;
  readonly hasStatus: boolean;
}

const model = loadModel();
const directory = new URL('../../../conformance/recordings/', import.meta.url);
const pathPattern =
  /^\/(?:api|apis\/(?<group>[^/]+))\/(?<version>[^/]+)(?:\/namespaces\/(?<namespace>[^/]+))?\/(?<resource>[^/]+)(?:\/(?<name>[^/]+))?(?:\/(?<subresource>[^/]+))?$/;
const now = '2026-11-15T00:00:00Z';

/**
 * True for a complete stored object; some responses are recorded in part, or are something else.
 */
function isObject(value: unknown): value is KubernetesObject & JsonObject {
  if (!isJsonObject(value) || !isJsonObject(value['metadata'])) return false;
  const { uid, name } = value['metadata'];
  return typeof value['kind'] === 'string' && uid !== undefined && name !== undefined;
}

/** Reads the writes of a file, with the objects before each write. */
function writesIn(file: string): Write[] {
  const { exchanges } = JSON.parse(readFileSync(new URL(file, directory), 'utf8')) as {
    exchanges: Exchange[];
  };
  const objects = new Map<string, KubernetesObject>();
  const crds = new Map<string, Resource>();
  const writes: Write[] = [];
  for (const exchange of exchanges) {
    const { request, response } = exchange;
    const url = new URL(request.path, 'http://server');
    const write = ['POST', 'PUT', 'PATCH'].includes(request.method)
      ? describeWrite(exchange, url, crds, objects)
      : undefined;
    if (write !== undefined) writes.push(write);
    const { body } = response;
    if (response.status >= 300 || !isObject(body) || url.searchParams.has('dryRun')) continue;
    if (body.kind === 'CustomResourceDefinition') addCrd(crds, body);
    if (body.kind !== 'Scale') {
      objects.set(objectKey(body.kind, body.metadata?.namespace, body.metadata?.name), body);
    }
  }
  return writes;
}

function objectKey(kind = '', namespace = '', name = ''): string {
  return [kind, namespace, name].join('/');
}

function describeWrite(
  exchange: Exchange,
  { pathname, searchParams }: URL,
  crds: ReadonlyMap<string, Resource>,
  objects: ReadonlyMap<string, KubernetesObject>,
): Write | undefined {
  const { request } = exchange;
  const { group = '', version = '', ...path } = pathPattern.exec(pathname)?.groups ?? {};
  let { namespace, resource = '', name, subresource = '' } = path;
  if (namespace !== undefined && ['status', 'finalize'].includes(resource)) {
    // `/namespaces/x/status` is a subresource of a Namespace, not a resource in one.
    [subresource, resource, name, namespace] = [resource, 'namespaces', namespace, undefined];
  }
  const builtin = model.resources(group, version).find((each) => each.resource === resource);
  const custom = crds.get([group, version, resource].join('/'));
  const known: Resource | undefined =
    builtin === undefined
      ? custom
      : {
          kind: builtin.kind,
          schema: builtin.schema,
          hasStatus: builtin.subresources.some((each) => each.name === 'status'),
        };
  if (known === undefined || !['', 'status', 'finalize'].includes(subresource)) return undefined;
  const { kind, schema, hasStatus } = known;
  const resetFields = resetFieldsOf({
    group,
    resource,
    subresource,
    hasStatus,
    custom: builtin === undefined,
  });
  return {
    exchange,
    isApply: request.headers?.['content-type'] === 'application/apply-patch+yaml',
    force: searchParams.has('force'),
    live: request.method === 'POST' ? undefined : objects.get(objectKey(kind, namespace, name)),
    kind,
    common: {
      schema,
      apiVersion: apiVersionOf({ group, version }),
      manager: managerName(
        searchParams.get('fieldManager') ?? undefined,
        request.headers?.['user-agent'],
      ),
      subresource,
      now,
      ...(resetFields && { resetFields }),
    },
  };
}

interface RecordedCrd {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string; readonly kind: string };
    readonly versions: readonly {
      readonly name: string;
      readonly schema?: { readonly openAPIV3Schema: JsonObject };
      readonly subresources?: { readonly status?: JsonObject };
    }[];
  };
}

function addCrd(crds: Map<string, Resource>, body: JsonObject): void {
  const { group, names, versions } = (body as unknown as RecordedCrd).spec;
  for (const { name, schema, subresources } of versions ?? []) {
    if (schema === undefined) continue;
    const linked = schemaFrom(sourceOf(schema.openAPIV3Schema));
    const objectMeta = model.schemaById('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
    assert.ok(objectMeta);
    const properties = new Map([
      ...(linked.properties ?? []),
      ['apiVersion', { schema: { type: 'string' } }] as const,
      ['kind', { schema: { type: 'string' } }] as const,
      ['metadata', { schema: objectMeta }] as const,
    ]);
    crds.set([group, name, names.plural].join('/'), {
      kind: names.kind,
      schema: { ...linked, properties },
      hasStatus: subresources?.status !== undefined,
    });
  }
}

function sourceOf(openApi: JsonObject): SchemaSource {
  const { properties, items, additionalProperties, type, format } = openApi;
  const rest = {
    type,
    format,
    default: openApi['default'],
    listType: openApi['x-kubernetes-list-type'],
    listMapKeys: openApi['x-kubernetes-list-map-keys'],
    mapType: openApi['x-kubernetes-map-type'],
    preserveUnknownFields: openApi['x-kubernetes-preserve-unknown-fields'],
    special: openApi['x-kubernetes-int-or-string'] === true ? 'int-or-string' : undefined,
    properties:
      isJsonObject(properties) &&
      Object.fromEntries(
        Object.entries(properties).map(([name, value]) => [name, sourceOf(value as JsonObject)]),
      ),
    items: isJsonObject(items) && sourceOf(items),
    additionalProperties: isJsonObject(additionalProperties) && sourceOf(additionalProperties),
  };
  const given = Object.entries(rest).filter(([, value]) => value !== undefined && value !== false);
  return Object.fromEntries(given);
}

function byManager(entries: readonly ManagedFieldsEntry[] | undefined): Map<string, FieldSet> {
  return new Map(
    (entries ?? []).map(({ manager, operation, apiVersion, subresource, fieldsV1 }) => [
      [manager, operation, apiVersion, subresource].join(' '),
      fieldsV1 ?? {},
    ]),
  );
}

function show(set: FieldSet): string[] {
  return Array.from(pathsOf(set), formatPath);
}

/** Returns the entries without times and order, which depend on the time of recording. */
function comparable(entries: readonly ManagedFieldsEntry[] | undefined): Map<string, string> {
  return new Map(
    Array.from(byManager(entries), ([key, set]) => [key, JSON.stringify(set)] as const),
  );
}

const allWrites = readdirSync(directory)
  .filter((file) => file.endsWith('.json') && file !== 'kubectl.json')
  .flatMap((file) => writesIn(file).map((write) => ({ file, ...write })));

/**
 * Fields in responses that the client did not send and that have no default: admission and
 * strategies set them after managed fields are computed, and only the response is recorded.
 */
const setByServer: Readonly<Record<string, RegExp>> = {
  ClusterRole: /^\.rules$/,
  CSINode: /^\.spec\.drivers$/,
  Job: /^\.(metadata|spec\.template\.metadata)\.labels|^\.spec\.selector$/,
  Namespace: /^\.spec\.finalizers$/,
  Node: /^\.spec\.taints$/,
  PersistentVolume: /^\.metadata\.finalizers/,
  PersistentVolumeClaim: /^\.metadata\.finalizers/,
  Pod: /^\.spec\.(preemptionPolicy|priority|tolerations)$/,
  Service:
    /^\.spec\.(clusterIPs?|ipFamilies|ipFamilyPolicy|healthCheckNodePort|ports\[.*\]\.nodePort)$/,
};

describe('recorded creates, updates and patches', () => {
  // Writes after one through another endpoint, whose effect is not in the file, or with a cut body.
  const unusable = new Set([
    'semantics.json cm-limit',
    'watch.json d-status',
    'watch.json p-running',
  ]);
  const updates = allWrites.filter(
    ({ file, exchange, isApply, live, kind }) =>
      !isApply &&
      exchange.response.status < 300 &&
      isObject(exchange.response.body) &&
      exchange.response.body.kind === kind &&
      (exchange.request.method === 'POST' || live !== undefined) &&
      !unusable.has(`${file} ${exchange.id}`),
  );
  assert.ok(updates.length > 350, `${updates.length} updates are recorded`);

  for (const { file, exchange, live, kind, common } of updates) {
    test(`${file} ${exchange.id}`, () => {
      const { request, response } = exchange;
      const answer = response.body as KubernetesObject & JsonObject;
      const sent = request.method === 'PATCH' ? undefined : request.body;
      const { managedFields: recorded, ...metadata } = answer.metadata ?? {};
      const replaced = (sent as KubernetesObject | undefined)?.metadata?.managedFields;
      const updated = {
        ...answer,
        metadata: { ...metadata, ...(replaced && { managedFields: replaced }) },
      };
      const computed = updateManagedFields({ ...common, live, updated });
      const [mine, theirs] = [byManager(computed), byManager(recorded)];
      for (const manager of new Set([...mine.keys(), ...theirs.keys()])) {
        const [ours, real] = [mine.get(manager) ?? {}, theirs.get(manager) ?? {}];
        const tolerated = setByServer[kind] ?? /^$/;
        const tooMany = show(difference(ours, real)).filter((path) => !tolerated.test(path));
        const missing = show(difference(real, ours)).filter((path) => !tolerated.test(path));
        assert.deepEqual({ manager, tooMany, missing }, { manager, tooMany: [], missing: [] });
        if (!(kind in setByServer)) assert.equal(JSON.stringify(ours), JSON.stringify(real));
      }
    });
  }
});

describe('recorded applies', () => {
  // Rejected before or after the field manager: parameters, names, permissions, validation, store.
  const judgedElsewhere = new Set([
    'apply-missing',
    'deploy-invalid',
    'deploy-no-key',
    'invalid',
    'low-apply',
    'missing-namespace',
    'name-mismatch',
    'no-manager',
    'ns-mismatch',
    'rv-stale',
    'status-missing-object',
    'uid-missing-object',
    'uid-wrong',
  ]);
  const applies = allWrites.filter(
    ({ exchange, isApply }) =>
      isApply && isJsonObject(exchange.request.body) && !judgedElsewhere.has(exchange.id),
  );
  assert.ok(applies.length > 40, `${applies.length} applies are recorded`);

  for (const { file, exchange, live, kind, common, force } of applies) {
    test(`${file} ${exchange.id}`, () => {
      const config = exchange.request.body as JsonObject;
      const answer = exchange.response.body;
      try {
        const { object } = applyManaged({ ...common, live, config, kind, force });
        assert.ok(isObject(answer), `the server refused: ${JSON.stringify(answer)}`);
        const { managedFields } = object.metadata ?? {};
        assert.deepEqual(comparable(managedFields), comparable(answer.metadata?.managedFields));
        if (common.subresource === '') {
          assertShown(object as JsonObject, answer, new Set(['metadata', 'status']));
        }
      } catch (error) {
        const status = apiErrorOf(error)?.status;
        if (status === undefined) throw error;
        assert.deepEqual(status, answer as Status);
      }
    });
  }
});

/** Asserts that everything merged is in the response, which also has defaults. */
function assertShown(merged: JsonObject, answer: JsonObject, except: ReadonlySet<string>): void {
  for (const [name, value] of Object.entries(merged)) {
    if (value === undefined || value === null || except.has(name)) continue;
    const shown = answer[name];
    if (isJsonObject(value)) {
      if (Object.keys(value).length > 0 || shown !== undefined) {
        assert.ok(isJsonObject(shown), name);
        assertShown(value, shown, new Set());
      }
    } else if (Array.isArray(value)) {
      assert.ok(Array.isArray(shown) && shown.length === value.length, name);
      for (const [index, item] of value.entries()) {
        if (isJsonObject(item)) assertShown(item, shown[index] as JsonObject, new Set());
        else assert.deepEqual(shown[index], item);
      }
    } else {
      assert.equal(shown, value, name);
    }
  }
}
