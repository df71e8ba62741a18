import { getKey } from 'client-ts/internal';
import { apiVersionOf, type GroupVersion } from 'client-ts/meta';

import { docComment } from './comment.ts';
import { declareDescriptors, type ResourceFacts } from './descriptor.ts';
import type { Doc } from './doc.ts';
import type { Generator } from './generator.ts';
import { type ApiModel, type GoShapes, type ModelGroupVersion, splitSchemaId } from './model.ts';
import { ModuleWriter } from './module-writer.ts';
import { stringLiteral } from './names.ts';
import { nullableFields } from './nullable-fields.ts';
import type { Schema } from './schema.ts';
import { type Field, fieldsOf, interfaceDoc, typeOf, type TypeRules } from './schema-types.ts';
import { assignedTypeDoc, named, type TypeNode, unionOf } from './type-node.ts';

/** The directory of the generated modules. */
export const apiDirectory = 'packages/client/src/api';

const metaTypes = '../../meta/types.ts';
const metaResource = '../../meta/resource.ts';

/** The packages whose types are written by hand in `meta/types.ts`. */
export const metaPackages: ReadonlySet<string> = new Set([
  'io.k8s.apimachinery.pkg.api.resource',
  'io.k8s.apimachinery.pkg.apis.meta.v1',
  'io.k8s.apimachinery.pkg.runtime',
  'io.k8s.apimachinery.pkg.util.intstr',
]);

/** Schemas that OpenAPI leaves blank because their JSON has several shapes. */
const blankSchemas: Readonly<Record<string, (module: ModuleWriter) => TypeNode>> = {
  JSON: (module) => named(module.importType('../../lib/json.ts', 'JsonValue')),
  JSONSchemaPropsOrArray: () =>
    unionOf([named('JSONSchemaProps'), { kind: 'array', item: named('JSONSchemaProps') }]),
  JSONSchemaPropsOrBool: () => unionOf([named('JSONSchemaProps'), named('boolean')]),
  JSONSchemaPropsOrStringArray: () =>
    unionOf([named('JSONSchemaProps'), { kind: 'array', item: named('string') }]),
};

/** One module of `src/api`: a group-version and the package its types come from. */
export interface ApiModule {
  /** `apps/v1`: the path below `src/api`, without extension. */
  readonly path: string;
  /** `io.k8s.api.apps.v1`: the prefix of the ids of its schemas. */
  readonly schemaPackage: string;
  readonly groupVersion: ModelGroupVersion;
}

/** Returns the modules of `src/api`, in the order in which a server lists its group-versions. */
export function apiModules(model: ApiModel): ApiModule[] {
  return model.groupVersions.map((groupVersion) => {
    const { group, version, resources } = groupVersion;
    const kind = resources[0]?.kind;
    const id = Object.keys(model.schemas).find((id) =>
      model.schemas[id]?.['x-kubernetes-group-version-kind']?.some(
        (known) => known.group === group && known.version === version && known.kind === kind,
      ),
    );
    if (id === undefined) {
      throw new Error(`the model has no schema for ${kind} of ${apiVersionOf(groupVersion)}`);
    }
    const schemaPackage = splitSchemaId(id).path;
    return { path: schemaPackage.split('.').slice(-2).join('/'), schemaPackage, groupVersion };
  });
}

/** Groups that a kube-apiserver does not serve itself, and the model therefore does not have. */
const HAND_WRITTEN = ['admission', 'metrics'];

/** Generates the modules of the built-in API: `packages/client/src/api/<group>/<version>.ts`. */
export function apiModulesGenerator(model: ApiModel, shapes: GoShapes): Generator {
  return {
    name: 'api types',
    owns: [apiDirectory],
    keeps: HAND_WRITTEN.map((group) => `${apiDirectory}/${group}`),
    outputs: () => {
      const modules = apiModules(model);
      return new Map(
        modules.map((module) => [
          `${apiDirectory}/${module.path}.ts`,
          apiModuleText({ model, shapes, modules }, module),
        ]),
      );
    },
  };
}

interface ApiSources {
  readonly model: ApiModel;
  readonly shapes: GoShapes;
  readonly modules: readonly ApiModule[];
}

function apiModuleText({ model, shapes, modules }: ApiSources, module: ApiModule): string {
  const { groupVersion, schemaPackage } = module;
  const writer = new ModuleWriter(
    `Kubernetes ${model.kubernetes}, ${apiVersionOf(groupVersion)}. Written by \`npm run generate\`; do not edit.`,
  );
  const schemas = Object.entries(model.schemas)
    .map(([id, schema]) => ({
      ...splitSchemaId(id),
      schema: withNulls(schema, nullableFields(id, schema, shapes)),
    }))
    .filter(({ path }) => path === schemaPackage);
  for (const { name } of schemas) writer.types.claim(name);

  const rules: TypeRules = {
    module: writer,
    metaSpecifier: metaTypes,
    enums: 'open',
    comment: fieldComment,
    reference: (id) => {
      const { path, name } = splitSchemaId(id);
      if (path === schemaPackage) return named(name);
      return named(writer.importType(specifierOf(path, modules), name));
    },
    nested: (_schema, path) => {
      throw new Error(
        `${path.join('.')} is an object without a name; the model has no such objects`,
      );
    },
  };
  const resources = groupVersion.resources.map((resource) => ({
    facts: factsOf(groupVersion, resource),
    type: resource.kind,
  }));
  declareDescriptors(writer, resources, metaResource);
  for (const { name, schema } of schemas) {
    writer.declare(schemaDoc(name, schema, groupVersion, rules));
  }
  return writer.toString();
}

function withNulls(schema: Schema, fields: readonly string[]): Schema {
  if (fields.length === 0) return schema;
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    name,
    fields.includes(name) ? { ...property, nullable: true } : property,
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
}

function specifierOf(schemaPackage: string, modules: readonly ApiModule[]): string {
  if (metaPackages.has(schemaPackage)) return metaTypes;
  const module = modules.find((module) => module.schemaPackage === schemaPackage);
  if (module === undefined) throw new Error(`no module has the types of ${schemaPackage}`);
  return `../${module.path}.ts`;
}

function schemaDoc(name: string, schema: Schema, own: GroupVersion, rules: TypeRules): Doc {
  const blank = schema.type === undefined ? getKey(blankSchemas, name) : undefined;
  if (blank !== undefined) return typeAlias(name, schema, blank(rules.module));
  if (schema.properties === undefined) {
    return typeAlias(name, schema, typeOf(schema, [name], rules));
  }
  const isKind = schema['x-kubernetes-group-version-kind']?.some(
    (known) => known.group === own.group && known.version === own.version && known.kind === name,
  );
  const fields = fieldsOf(schema, [name], rules);
  return interfaceDoc(
    name,
    isKind === true ? fields.map((field) => typeMetaField(field, name, own)) : fields,
    { comment: schema.description ?? '' },
  );
}

/** Makes `apiVersion` and `kind` of a kind literals. They stay optional: the client fills them in. */
function typeMetaField(field: Field, kind: string, own: GroupVersion): Field {
  if (field.name === 'apiVersion') return { ...field, type: literalType(apiVersionOf(own)) };
  if (field.name === 'kind') return { ...field, type: literalType(kind) };
  return field;
}

function literalType(value: string): TypeNode {
  return named(stringLiteral(value));
}

function typeAlias(name: string, { description = '' }: Schema, type: TypeNode): Doc {
  return [docComment(description), `export type ${name} =`, assignedTypeDoc(type), ';'];
}

/**
 * Returns the description of a field and its default. Empty defaults are left out: the model has
 * one for every required field, and they only say how the server reads a missing value.
 */
function fieldComment({ description = '', default: value }: Schema): string {
  const empty = value === undefined || value === '' || value === 0 || value === false;
  if (empty || (typeof value === 'object' && value !== null)) return description;
  const tag = `@default ${typeof value === 'string' ? stringLiteral(value) : String(value)}`;
  return description === '' ? tag : `${description}\n\n${tag}`;
}

function factsOf(
  { group, version }: GroupVersion,
  resource: ModelGroupVersion['resources'][number],
): ResourceFacts {
  return {
    ...resource,
    group,
    version,
    shortNames: resource.shortNames ?? [],
    categories: resource.categories ?? [],
    subresources: (resource.subresources ?? []).map(({ subresource, kind, verbs }) => ({
      name: subresource,
      kind: { group: kind.group ?? group, version: kind.version ?? version, kind: kind.kind },
      verbs,
    })),
  };
}
