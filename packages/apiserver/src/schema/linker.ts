import { getKey, type JsonValue } from 'client-ts/internal';
import type { GroupVersionKind } from 'client-ts/meta';

import type { Property, Schema, SpecialType } from './schema.ts';

/** A type of the model in OpenAPI form, with additions from the server's Go types. */
export interface OpenApiSchema {
  readonly description?: string;
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly default?: JsonValue;
  readonly enum?: readonly JsonValue[];
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly required?: readonly string[];
  readonly items?: OpenApiSchema;
  readonly additionalProperties?: OpenApiSchema;
  readonly oneOf?: readonly OpenApiSchema[];
  readonly 'x-kubernetes-group-version-kind'?: readonly GroupVersionKind[];
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'map' | 'set';
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
  readonly 'x-kubernetes-patch-merge-key'?: string;
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-unions'?: JsonValue;
  /** Not part of OpenAPI: how the Go type holds the fields. */
  readonly shape?: TypeShape;
}

/** Which fields are pointers, which are always written, and their names in messages. */
export interface TypeShape {
  readonly pointer?: readonly string[];
  readonly always?: readonly string[];
  readonly types?: Readonly<Record<string, string>>;
  readonly inline?: Readonly<Record<string, string>>;
}

const apiextensions = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1';
const metaV1 = 'io.k8s.apimachinery.pkg.apis.meta.v1';

const specialTypes: ReadonlyMap<string, SpecialType> = new Map([
  [`${apiextensions}.JSON`, 'raw'],
  [`${apiextensions}.JSONSchemaPropsOrArray`, 'schema-or-list'],
  [`${apiextensions}.JSONSchemaPropsOrBool`, 'schema-or-bool'],
  [`${apiextensions}.JSONSchemaPropsOrStringArray`, 'schema-or-names'],
  [`${metaV1}.FieldsV1`, 'fields-v1'],
  [`${metaV1}.MicroTime`, 'micro-time'],
  [`${metaV1}.Time`, 'time'],
  ['io.k8s.apimachinery.pkg.api.resource.Quantity', 'quantity'],
  ['io.k8s.apimachinery.pkg.runtime.RawExtension', 'raw'],
  ['io.k8s.apimachinery.pkg.util.intstr.IntOrString', 'int-or-string'],
]);

/** The schema of schemas, which the `schema-or-…` types hold. */
const schemaOfSchemas = `${apiextensions}.JSONSchemaProps`;

/** A schema under construction. */
type Draft = { -readonly [Key in keyof Schema]: Schema[Key] };

/**
 * Links OpenAPI schemas into {@link Schema} graphs. A type is linked on first use, together with
 * all types that it reaches.
 */
export class SchemaLinker {
  readonly #sources: Readonly<Record<string, OpenApiSchema>>;
  readonly #linked = new Map<string, Schema>();

  constructor(sources: Readonly<Record<string, OpenApiSchema>>) {
    this.#sources = sources;
  }

  /** Returns the linked type with this name; undefined if the model does not have it. */
  link(id: string): Schema | undefined {
    const known = this.#linked.get(id);
    if (known !== undefined) return known;
    const source = getKey(this.#sources, id);
    if (source === undefined) return undefined;
    const draft: Draft = { id };
    // Registered before its parts, so that recursive types find themselves.
    this.#linked.set(id, draft);
    this.#fill(draft, source, specialTypes.get(id));
    return draft;
  }

  #reference(source: OpenApiSchema): Schema {
    if (source.$ref === undefined) {
      const draft: Draft = {};
      this.#fill(draft, source, source.format === 'byte' ? 'bytes' : undefined);
      return draft;
    }
    const schema = this.link(source.$ref);
    if (schema === undefined) throw new Error(`the model refers to an unknown ${source.$ref}`);
    return schema;
  }

  #fill(draft: Draft, source: OpenApiSchema, special: SpecialType | undefined): void {
    const { type, format, required, items, additionalProperties } = source;
    if (type !== undefined) draft.type = type as NonNullable<Schema['type']>;
    if (special !== undefined) draft.special = special;
    if (format !== undefined) draft.format = format;
    if (required !== undefined) draft.required = required;
    if (source.enum !== undefined) draft.enum = source.enum;
    if (items !== undefined) draft.items = this.#reference(items);
    if (additionalProperties !== undefined) {
      draft.additionalProperties = this.#reference(additionalProperties);
    } else if (type === 'object' && special === undefined) {
      draft.properties = this.#properties(source);
    }
    if (special?.startsWith('schema-or-')) {
      // OpenAPI leaves these types open, but their content is known.
      draft.additionalProperties = this.#reference({ $ref: schemaOfSchemas });
    }
    Object.assign(draft, listAndMapTypes(source));
  }

  #properties({ properties = {}, shape = {}, ...source }: OpenApiSchema): Map<string, Property> {
    const pointer = new Set(shape.pointer);
    const always = new Set(shape.always);
    const isObject = source['x-kubernetes-group-version-kind'] !== undefined;
    let index = 0;
    const linked = new Map<string, Property>();
    for (const [name, property] of Object.entries(properties)) {
      const isTypeMeta = name === 'kind' || name === 'apiVersion';
      const typeMeta = isTypeMeta && (isObject || properties['metadata'] !== undefined);
      const inlined = typeMeta ? 'TypeMeta' : getKey(shape.inline ?? {}, name);
      const typeName = getKey(shape.types ?? {}, name);
      const patchStrategy = property['x-kubernetes-patch-strategy'];
      const patchMergeKey = property['x-kubernetes-patch-merge-key'];
      linked.set(name, {
        schema: this.#reference(property),
        index: index++,
        pointer: pointer.has(name),
        always: always.has(name),
        ...(property.default === undefined ? {} : { default: property.default }),
        ...(property.enum === undefined ? {} : { enum: property.enum }),
        ...(patchStrategy === undefined ? {} : { patchStrategy }),
        ...(patchMergeKey === undefined ? {} : { patchMergeKey }),
        ...(typeName === undefined ? {} : { typeName }),
        ...(inlined === undefined ? {} : { inlined }),
        ...listAndMapTypes(property),
      });
    }
    return linked;
  }
}

function listAndMapTypes(
  source: OpenApiSchema,
): Pick<Schema, 'listType' | 'listMapKeys' | 'mapType'> {
  const listType = source['x-kubernetes-list-type'];
  const listMapKeys = source['x-kubernetes-list-map-keys'];
  const mapType = source['x-kubernetes-map-type'];
  return {
    ...(listType === undefined ? {} : { listType }),
    ...(listMapKeys === undefined ? {} : { listMapKeys }),
    ...(mapType === undefined ? {} : { mapType }),
  };
}
