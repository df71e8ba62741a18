import { isJsonObject, type JsonObject, type JsonValue } from 'client-ts/lib';
import { apiVersionOf, type GroupVersion, type GroupVersionKind } from 'client-ts/meta';
import type { ResourceInfo, SubresourceInfo } from '../registry/resource.ts';
import type { Model } from '../schema/model.ts';

const REF = '#/components/schemas/';
const PATCH_TYPES = [
  'application/apply-patch+yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
];
const QUERY_OF_WRITES = ['dryRun', 'fieldManager', 'fieldValidation'];
const QUERY_OF_LISTS = [
  'allowWatchBookmarks',
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'timeoutSeconds',
  'watch',
];

/** The path of a group-version in the OpenAPI index: `api/v1`, `apis/apps/v1`. */
export function openApiPath(groupVersion: GroupVersion): string {
  return groupVersion.group === ''
    ? `api/${groupVersion.version}`
    : `apis/${apiVersionOf(groupVersion)}`;
}

/**
 * The OpenAPI v3 document of one group-version: what clients may do with each resource, and every
 * type that is reachable from there. Custom resources come with the schema and descriptions that
 * their CRD has.
 */
export function openApiDocument(
  groupVersion: GroupVersion,
  resources: readonly ResourceInfo[],
  model: Model,
): JsonObject {
  const builder = new DocumentBuilder(model);
  const root = `/${openApiPath(groupVersion)}`;
  for (const info of resources) builder.addResource(root, info);
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: model.kubernetes.split('.').slice(0, 2).join('.') },
    paths: builder.paths,
    components: {
      schemas: builder.schemas(),
      securitySchemes: {
        BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' },
      },
    },
  };
}

class DocumentBuilder {
  readonly paths: JsonObject = {};
  readonly #model: Model;
  readonly #schemas = new Map<string, JsonValue>();

  constructor(model: Model) {
    this.#model = model;
  }

  schemas(): JsonObject {
    const sorted: JsonObject = {};
    for (const name of [...this.#schemas.keys()].sort()) sorted[name] = this.#schemas.get(name);
    return sorted;
  }

  addResource(root: string, info: ResourceInfo): void {
    const ref = this.#refFor(info, info);
    const listRef = this.#listRefFor(info, ref);
    const namespaced = info.scope === 'Namespaced';
    const collection = namespaced
      ? `${root}/namespaces/{namespace}/${info.resource}`
      : `${root}/${info.resource}`;
    if (namespaced && info.verbs.includes('list')) {
      this.paths[`${root}/${info.resource}`] = { get: operation(info, 'list', listRef) };
    }
    const onCollection: JsonObject = {};
    const onObject: JsonObject = {};
    if (info.verbs.includes('list')) onCollection['get'] = operation(info, 'list', listRef);
    if (info.verbs.includes('create')) onCollection['post'] = operation(info, 'post', ref);
    if (info.verbs.includes('deletecollection')) {
      onCollection['delete'] = operation(info, 'deletecollection', this.#statusRef());
    }
    if (info.verbs.includes('get')) onObject['get'] = operation(info, 'get', ref);
    if (info.verbs.includes('update')) onObject['put'] = operation(info, 'put', ref);
    if (info.verbs.includes('patch')) onObject['patch'] = operation(info, 'patch', ref);
    if (info.verbs.includes('delete')) {
      onObject['delete'] = operation(info, 'delete', this.#statusRef());
    }
    this.#addPath(collection, onCollection, namespaced ? ['namespace'] : []);
    const objectParameters = namespaced ? ['name', 'namespace'] : ['name'];
    this.#addPath(`${collection}/{name}`, onObject, objectParameters);
    for (const subresource of info.subresources) {
      this.#addSubresource(`${collection}/{name}`, info, subresource, objectParameters);
    }
  }

  #addSubresource(
    object: string,
    parent: ResourceInfo,
    { name, kind, verbs }: SubresourceInfo,
    parameters: readonly string[],
  ): void {
    const ref = this.#refFor(kind, parent);
    const operations: JsonObject = {};
    const actions = { get: 'get', create: 'post', update: 'put', patch: 'patch' } as const;
    for (const [verb, method] of Object.entries(actions)) {
      if (verbs.includes(verb)) operations[method] = operation(kind, method, ref);
    }
    this.#addPath(`${object}/${name}`, operations, parameters);
  }

  #addPath(path: string, operations: JsonObject, parameters: readonly string[]): void {
    if (Object.keys(operations).length === 0) return;
    this.paths[path] = {
      ...operations,
      parameters: parameters.map((name) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string', uniqueItems: true },
      })),
    };
  }

  /** The reference to a kind's type; its schema is added to the document. */
  #refFor(kind: GroupVersionKind, parent: ResourceInfo): string {
    if (parent.crd !== undefined && kind.group === parent.group) return this.#customRef(parent);
    const id = this.#model.schemaIdFor(kind);
    if (id === undefined) return this.#statusRef();
    this.#addModelSchema(id);
    return id;
  }

  #listRefFor(info: ResourceInfo, ref: string): string {
    const id = this.#model.schemaIdFor({ ...info, kind: info.listKind });
    if (id !== undefined) {
      this.#addModelSchema(id);
      return id;
    }
    const name = `${ref}List`;
    this.#schemas.set(name, {
      type: 'object',
      required: ['items'],
      properties: {
        apiVersion: { type: 'string' },
        items: { type: 'array', items: { $ref: `${REF}${ref}` } },
        kind: { type: 'string' },
        metadata: { $ref: `${REF}${LIST_META}` },
      },
      'x-kubernetes-group-version-kind': [gvk({ ...info, kind: info.listKind })],
    });
    this.#addModelSchema(LIST_META);
    return name;
  }

  #customRef(info: ResourceInfo): string {
    const name = `${info.group.split('.').reverse().join('.')}.${info.version}.${info.kind}`;
    if (!this.#schemas.has(name)) {
      const schema = info.openApi ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
      const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
      this.#schemas.set(name, {
        ...schema,
        properties: {
          ...properties,
          apiVersion: { type: 'string' },
          kind: { type: 'string' },
          metadata: { allOf: [{ $ref: `${REF}${OBJECT_META}` }] },
        },
        'x-kubernetes-group-version-kind': [gvk(info)],
      });
      this.#addModelSchema(OBJECT_META);
    }
    return name;
  }

  #statusRef(): string {
    this.#addModelSchema(STATUS);
    return STATUS;
  }

  #addModelSchema(id: string): void {
    if (this.#schemas.has(id)) return;
    const schema = this.#model.openApi[id];
    if (schema === undefined) return;
    // Before its parts, because types may contain themselves.
    this.#schemas.set(id, {});
    this.#schemas.set(id, this.#rewrite(schema as unknown as JsonValue));
  }

  /** The model names types directly; OpenAPI points into the document. */
  #rewrite(value: JsonValue): JsonValue {
    if (Array.isArray(value)) return value.map((item) => this.#rewrite(item));
    if (!isJsonObject(value)) return value;
    const { shape: _serverOnly, $ref, ...rest } = value;
    const copy: JsonObject = {};
    for (const [key, child] of Object.entries(rest)) {
      if (child !== undefined) copy[key] = key === 'properties' ? this.#properties(child) : this.#rewrite(child);
    }
    if (typeof $ref !== 'string') return copy;
    this.#addModelSchema($ref);
    const target = { $ref: `${REF}${$ref}` };
    return Object.keys(copy).length === 0 ? target : { ...copy, allOf: [target] };
  }

  #properties(properties: JsonValue): JsonValue {
    if (!isJsonObject(properties)) return properties;
    const copy: JsonObject = {};
    for (const [name, schema] of Object.entries(properties)) {
      if (schema !== undefined) copy[name] = this.#rewrite(schema);
    }
    return copy;
  }
}

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const STATUS = `${META}.Status`;
const LIST_META = `${META}.ListMeta`;
const OBJECT_META = `${META}.ObjectMeta`;

type Action = 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'post' | 'put';

function operation(
  kind: GroupVersionKind & { readonly crd?: string },
  action: Action,
  ref: string,
): JsonObject {
  const schema = { $ref: `${REF}${ref}` };
  const writes = action === 'post' || action === 'put' || action === 'patch';
  const query =
    action === 'list' || action === 'deletecollection'
      ? QUERY_OF_LISTS
      : writes
        ? action === 'patch'
          ? [...QUERY_OF_WRITES, 'force']
          : QUERY_OF_WRITES
        : [];
  return {
    ...(query.length > 0 && {
      parameters: query.map((name) => ({
        name,
        in: 'query',
        schema: { type: 'string', uniqueItems: true },
      })),
    }),
    ...(writes && { requestBody: { content: bodyContent(action, schema, kind.crd !== undefined), required: true } }),
    responses: {
      '200': { description: 'OK', content: { 'application/json': { schema } } },
      '401': { description: 'Unauthorized' },
    },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': gvk(kind),
  };
}

/** kubectl chooses its patches by this: custom resources have no strategic merge. */
function bodyContent(action: Action, schema: JsonObject, isCustom: boolean): JsonObject {
  if (action !== 'patch') return { '*/*': { schema } };
  const types = PATCH_TYPES.filter((type) => !(isCustom && type.includes('strategic')));
  return Object.fromEntries(types.map((type) => [type, { schema: { type: 'object' } }]));
}

function gvk({ group, version, kind }: GroupVersionKind): JsonObject {
  return { group, version, kind };
}
