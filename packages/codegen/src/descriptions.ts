import { readdirSync, readFileSync } from 'node:fs';

import { getKey } from 'client-ts/internal';
import { parseYamlDocuments } from 'client-ts/yaml';

import type { Generator } from './generator.ts';
import {
  type ApiModel,
  loadModelParts,
  modelDirectory,
  renderLines,
  splitSchemaId,
} from './model.ts';
import { loadReleases, withReleases } from './releases.ts';
import type { Schema } from './schema.ts';

/** What a type and its fields are for. */
export interface TypeDescription {
  readonly description?: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Descriptions by schema id. */
export type Descriptions = ReadonlyMap<string, TypeDescription>;

/** One document of a file in `model/docs`: the types of one package, or some of them. */
export interface DescriptionFile {
  readonly package: string;
  /** Another version of the package, which describes the types and fields that are not named here. */
  readonly like?: string;
  readonly types?: Readonly<Record<string, WrittenType>>;
}

interface WrittenType {
  readonly description: string;
  /** A type of the same package, or a schema id, that describes the fields not named here. */
  readonly like?: string;
  readonly fields?: Readonly<Record<string, string>>;
}

/** `model/docs/common.yaml`: what every kind and every list has, with `{kind}` for its name. */
export interface CommonDescriptions {
  readonly kind: { readonly fields: Readonly<Record<string, string>> };
  readonly list: {
    readonly description: string;
    readonly fields: Readonly<Record<string, string>>;
  };
}

const directory = new URL('docs/', modelDirectory);
const commonFile = 'common.yaml';

/** Reads every file of `model/docs` and joins them for the given model. */
export function loadDescriptions(model: ApiModel): Descriptions {
  const files = readdirSync(directory).filter(
    (name) => name.endsWith('.yaml') && name !== commonFile,
  );
  return joinDescriptions(model, loadCommon(), files.flatMap(readDocuments) as DescriptionFile[]);
}

/** Reads the model with the types and fields of all releases, which `model/docs` describes. */
export function loadDescribedModel(): ApiModel {
  return withReleases(loadModelParts(), loadReleases()).api;
}

function loadCommon(): CommonDescriptions {
  const [common] = readDocuments(commonFile) as CommonDescriptions[];
  if (common === undefined) throw new Error(`model/docs/${commonFile} is empty`);
  return common;
}

function readDocuments(name: string): unknown[] {
  const documents = parseYamlDocuments(readFileSync(new URL(name, directory), 'utf8'));
  return documents.map((document) => {
    const { value, duplicates } = document.read();
    if (duplicates.length > 0) throw new Error(`model/docs/${name}: ${duplicates.join('; ')}`);
    return value;
  });
}

/**
 * Joins the files into one description per schema of the model: a type's own fields first, then
 * those of the type that it is `like`, then the fields that all kinds or all lists share.
 *
 * Throws if a file describes a type or a field that the model does not have, or describes it twice.
 */
export function joinDescriptions(
  model: ApiModel,
  common: CommonDescriptions,
  files: readonly DescriptionFile[],
): Descriptions {
  const described = describedTypes(model, files);
  const all = new Map<string, TypeDescription>();
  for (const [id, schema] of Object.entries(model.schemas)) {
    const shared = commonTo(id, schema, common);
    const own = described(id);
    const description = own?.description ?? shared.description;
    const texts: Readonly<Record<string, string>> = { ...shared.fields, ...own?.fields };
    const fields = Object.fromEntries(
      Object.keys(schema.properties ?? {}).flatMap((name) => {
        const text = getKey(texts, name);
        return text === undefined ? [] : [[name, text]];
      }),
    );
    if (description !== undefined || Object.keys(fields).length > 0) {
      all.set(id, { ...(description !== undefined && { description }), fields });
    }
  }
  return all;
}

/** Returns a function that finds what the files say about a type, also by `like`. */
function describedTypes(
  model: ApiModel,
  files: readonly DescriptionFile[],
): (id: string) => TypeDescription | undefined {
  const written = new Map<string, WrittenType>();
  const otherVersions = new Map<string, string>();
  for (const { package: path, like, types = {} } of files) {
    if (like !== undefined) otherVersions.set(path, like);
    for (const [name, type] of Object.entries(types)) {
      const id = `${path}.${name}`;
      if (written.has(id)) throw new Error(`${id} is described twice`);
      checkFields(id, type.fields ?? {}, model);
      written.set(id, type);
    }
  }
  const find = (id: string): TypeDescription | undefined => {
    const { path, name } = splitSchemaId(id);
    const own = written.get(id);
    const version = otherVersions.get(path);
    const other = own?.like ?? (version === undefined ? undefined : `${version}.${name}`);
    if (other === undefined) return own && { fields: {}, ...own };
    const inherited = find(other.includes('.') ? other : `${path}.${other}`);
    if (inherited === undefined && own?.like !== undefined) {
      throw new Error(`${id} is like ${other}, which is not described`);
    }
    return own === undefined
      ? inherited
      : { description: own.description, fields: { ...inherited?.fields, ...own.fields } };
  };
  return find;
}

function checkFields(id: string, fields: Readonly<Record<string, string>>, model: ApiModel): void {
  const schema = getKey(model.schemas, id);
  if (schema === undefined) throw new Error(`${id} is described, but the model has no such type`);
  for (const name of Object.keys(fields)) {
    if (getKey(schema.properties ?? {}, name) === undefined) {
      throw new Error(`${id} has no field '${name}', but a description for it`);
    }
  }
}

/** What a schema has because it is a kind or a list of its own group-version. */
function commonTo(id: string, schema: Schema, common: CommonDescriptions): TypeDescription {
  const { name } = splitSchemaId(id);
  const kinds = schema['x-kubernetes-group-version-kind'] ?? [];
  if (!kinds.some(({ kind }) => kind === name)) return { fields: {} };
  const { properties = {} } = schema;
  if (!name.endsWith('List') || getKey(properties, 'items') === undefined) return common.kind;
  const item = name.slice(0, -'List'.length);
  const fill = (text: string): string => text.replaceAll('{kind}', item);
  return {
    description: fill(common.list.description),
    fields: Object.fromEntries(
      Object.entries({ ...common.kind.fields, ...common.list.fields }).map(([field, text]) => [
        field,
        fill(text),
      ]),
    ),
  };
}

/** Returns the model with descriptions in its schemas, where there are some. */
export function describeModel(model: ApiModel, descriptions: Descriptions): ApiModel {
  const schemas = Object.entries(model.schemas).map(([id, schema]) => [
    id,
    describeSchema(schema, descriptions.get(id)),
  ]);
  return { ...model, schemas: Object.fromEntries(schemas) as ApiModel['schemas'] };
}

function describeSchema(schema: Schema, described: TypeDescription | undefined): Schema {
  if (described === undefined) return schema;
  const { description, fields } = described;
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const text = getKey(fields, name);
    return [name, text === undefined ? property : { ...property, description: text }] as const;
  });
  return {
    ...schema,
    ...(description !== undefined && { description }),
    ...(schema.properties && { properties: Object.fromEntries(properties) }),
  };
}

const target = 'packages/apiserver/data/descriptions.json';

/** Writes the descriptions that the OpenAPI documents of `@client-ts/apiserver` contain. */
export const serverDescriptions: Generator = {
  name: 'server descriptions',
  outputs: () =>
    new Map([[target, renderDescriptions(loadCommon(), loadDescriptions(loadDescribedModel()))]]),
};

/** One line per type. What all kinds share is there for custom resources. */
function renderDescriptions(common: CommonDescriptions, descriptions: Descriptions): string {
  return [
    `{"kind":${JSON.stringify(common.kind)},`,
    `"list":${JSON.stringify(common.list)},`,
    `"types":${renderLines(Object.fromEntries(descriptions))}}\n`,
  ].join('\n');
}
