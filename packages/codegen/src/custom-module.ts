import { getKey } from 'client-ts/internal';
import { apiVersionOf, type GroupVersion } from 'client-ts/meta';

import { declareDescriptors, type ResourceFacts } from './descriptor.ts';
import { ModuleWriter } from './module-writer.ts';
import { pascalCase, stringLiteral } from './names.ts';
import { cleanSchema, type Schema } from './schema.ts';
import {
  type Field,
  fieldsOf,
  interfaceDoc,
  referenceOf,
  schemaComment,
  typeOf,
  type TypeRules,
} from './schema-types.ts';
import { assignedTypeDoc, named, type TypeNode } from './type-node.ts';

const metaSpecifier = 'client-ts/meta';

/** One kind of a generated module, with the schema of its objects. */
export interface CustomKind {
  readonly facts: ResourceFacts;
  readonly listKind: string;
  /** The schema of the object. Without it every field is accepted. */
  readonly schema: Schema | undefined;
}

/** The types that client-ts/meta exports, by schema id. */
const metaTypes: ReadonlyMap<string, string> = new Map([
  ['io.k8s.apimachinery.pkg.api.resource.Quantity', 'Quantity'],
  ['io.k8s.apimachinery.pkg.runtime.RawExtension', 'RawExtension'],
  ['io.k8s.apimachinery.pkg.util.intstr.IntOrString', 'IntOrString'],
  ...[
    'Condition',
    'DeleteOptions',
    'FieldSelectorRequirement',
    'FieldsV1',
    'LabelSelector',
    'LabelSelectorRequirement',
    'ListMeta',
    'ManagedFieldsEntry',
    'MicroTime',
    'ObjectMeta',
    'OwnerReference',
    'Preconditions',
    'Status',
    'StatusCause',
    'StatusDetails',
    'Time',
  ].map((name) => [`io.k8s.apimachinery.pkg.apis.meta.v1.${name}`, name] as const),
]);

/**
 * Returns the typed module of one group-version of custom resources. `components` are the schemas
 * that a `$ref` may name; those of `meta/v1` are imported, others become interfaces of the module.
 */
export function customModuleText(
  groupVersion: GroupVersion,
  kinds: readonly CustomKind[],
  components: Readonly<Record<string, Schema>> = {},
): string {
  const cleaned = kinds.map((kind) => ({
    ...kind,
    ...(kind.schema !== undefined && { schema: cleanSchema(kind.schema) }),
  }));
  return new CustomModule(groupVersion, components).write(cleaned);
}

interface PendingInterface {
  readonly name: string;
  readonly schema: Schema;
  readonly path: readonly string[];
}

/** The schema of a kind whose schema the server does not publish. */
const anything: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/**
 * Returns the fields sorted by name, as servers publish them, so that a file and a cluster yield the
 * same types.
 */
function sortedFields(schema: Schema, path: readonly string[], rules: TypeRules): Field[] {
  const properties = Object.entries(schema.properties ?? {}).toSorted(([left], [right]) =>
    left < right ? -1 : 1,
  );
  return fieldsOf({ ...schema, properties: Object.fromEntries(properties) }, path, rules);
}

/** Returns a schema without the fields that Kubernetes itself defines. */
function withoutTypeMeta(schema: Schema): Schema {
  const {
    apiVersion: _apiVersion,
    kind: _kind,
    metadata: _metadata,
    ...properties
  } = schema.properties ?? {};
  return { ...schema, properties };
}

/** Returns the component that a schema is an alias of: no interface or list is in between. */
function aliasedId(schema: Schema | undefined): string | undefined {
  if (schema === undefined) return undefined;
  const reference = referenceOf(schema);
  if (reference !== undefined || schema.type !== 'object') return reference;
  const { additionalProperties, properties } = schema;
  const isInterface = properties !== undefined || schema['x-kubernetes-embedded-resource'] === true;
  return isInterface || typeof additionalProperties !== 'object'
    ? undefined
    : aliasedId(additionalProperties);
}

class CustomModule {
  readonly #groupVersion: GroupVersion;
  readonly #components: Readonly<Record<string, Schema>>;
  readonly #module: ModuleWriter;
  readonly #rules: TypeRules;
  readonly #references = new Map<string, string>();
  readonly #pending: PendingInterface[] = [];
  /** Schemas whose description is on a field; their interface does not repeat it. */
  readonly #commented = new WeakSet<Schema>();

  constructor(groupVersion: GroupVersion, components: Readonly<Record<string, Schema>>) {
    this.#groupVersion = groupVersion;
    this.#components = components;
    this.#module = new ModuleWriter(
      `Custom resources of ${apiVersionOf(groupVersion)}. Written by \`client-ts generate\`; do not edit.`,
    );
    this.#rules = {
      module: this.#module,
      metaSpecifier,
      // A server that checks the schema never stores another value, so a switch can be exhaustive.
      enums: 'closed',
      comment: (schema) => {
        this.#commented.add(schema);
        return schemaComment(schema);
      },
      reference: (id) => this.#reference(id),
      nested: (schema, path) => named(this.#interface(pascalCase(path.join(' ')), schema, path)),
    };
  }

  write(kinds: readonly CustomKind[]): string {
    const claimed = kinds
      .toSorted((left, right) => (left.facts.kind < right.facts.kind ? -1 : 1))
      .map((kind) => ({ ...kind, type: this.#module.types.claim(pascalCase(kind.facts.kind)) }))
      .map((kind) => ({ ...kind, listType: this.#module.types.claim(pascalCase(kind.listKind)) }));
    declareDescriptors(this.#module, claimed, metaSpecifier);
    for (const { facts, schema, type, listKind, listType } of claimed) {
      this.#declareKind(type, facts, schema);
      this.#declareList(listType, listKind, type);
      for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) {
        this.#declareNested(next);
      }
    }
    return this.#module.toString();
  }

  #declareKind(type: string, { kind }: ResourceFacts, schema: Schema = anything): void {
    const fields = [
      ...this.#typeMeta(kind),
      this.#metadata(schema),
      ...sortedFields(withoutTypeMeta(schema), [type], this.#rules),
    ];
    this.#module.declare(
      interfaceDoc(type, fields, {
        comment: schema.description ?? '',
        open: schema['x-kubernetes-preserve-unknown-fields'] === true,
      }),
    );
  }

  #declareList(listType: string, listKind: string, type: string): void {
    const metadata = named(this.#module.importType(metaSpecifier, 'ListMeta'));
    this.#module.declare(
      interfaceDoc(listType, [
        ...this.#typeMeta(listKind),
        { name: 'metadata', required: false, type: metadata, comment: '' },
        { name: 'items', required: true, type: { kind: 'array', item: named(type) }, comment: '' },
      ]),
    );
  }

  #declareNested({ name, schema, path }: PendingInterface): void {
    const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
    if (schema.properties === undefined && !isEmbedded) {
      const alias = assignedTypeDoc(typeOf(schema, path, this.#rules));
      this.#module.declare([`export type ${name} =`, alias, ';']);
      return;
    }
    const fields = isEmbedded
      ? [
          ...this.#embeddedTypeMeta(schema),
          ...sortedFields(withoutTypeMeta(schema), path, this.#rules),
        ]
      : sortedFields(schema, path, this.#rules);
    this.#module.declare(
      interfaceDoc(name, fields, {
        comment: this.#commented.has(schema) ? '' : (schema.description ?? ''),
        open: schema['x-kubernetes-preserve-unknown-fields'] === true,
      }),
    );
  }

  /** `apiVersion` and `kind` of a kind: literals, and optional because the client fills them in. */
  #typeMeta(kind: string): Field[] {
    const literal = (value: string): TypeNode => named(stringLiteral(value));
    return [
      {
        name: 'apiVersion',
        required: false,
        type: literal(apiVersionOf(this.#groupVersion)),
        comment: '',
      },
      { name: 'kind', required: false, type: literal(kind), comment: '' },
    ];
  }

  /** An embedded object must have `apiVersion` and `kind`. */
  #embeddedTypeMeta(schema: Schema): Field[] {
    return [
      { name: 'apiVersion', required: true, type: named('string'), comment: '' },
      { name: 'kind', required: true, type: named('string'), comment: '' },
      this.#metadata(schema),
    ];
  }

  #metadata(schema: Schema): Field {
    return {
      name: 'metadata',
      required: schema.required?.includes('metadata') ?? false,
      type: named(this.#module.importType(metaSpecifier, 'ObjectMeta')),
      comment: '',
    };
  }

  #reference(id: string): TypeNode {
    const metaType = metaTypes.get(id);
    if (metaType !== undefined) return named(this.#module.importType(metaSpecifier, metaType));
    const schema = this.#component(id);
    if (schema === undefined || this.#isCircular(id)) return named('unknown');
    const known = this.#references.get(id);
    if (known !== undefined) return named(known);
    const name = id.slice(id.lastIndexOf('.') + 1);
    const local = this.#interface(pascalCase(name), schema, [name]);
    this.#references.set(id, local);
    return named(local);
  }

  #component(id: string): Schema | undefined {
    const schema = getKey(this.#components, id);
    return schema === undefined ? undefined : cleanSchema(schema);
  }

  /** True for an alias that refers to itself, which has no type. */
  #isCircular(id: string): boolean {
    const seen = new Set<string>();
    for (let next: string | undefined = id; next !== undefined;) {
      if (seen.has(next)) return true;
      seen.add(next);
      next = aliasedId(this.#component(next));
    }
    return false;
  }

  #interface(wanted: string, schema: Schema, path: readonly string[]): string {
    const name = this.#module.types.claim(wanted);
    this.#pending.push({ name, schema, path });
    return name;
  }
}
