import { getKey } from 'client-ts/internal';

import { type GoShape, type GoShapes, splitSchemaId } from '../model.ts';
import type { Schema } from '../schema.ts';
import type { GoField, GoPackage } from './go-source.ts';

/** Finds a package by its import path; undefined if the source tree does not have it. */
export type GoPackages = (importPath: string) => GoPackage | undefined;

/** `io.k8s.api.apps.v1` → `k8s.io/api/apps/v1`. */
export function importPathOf(schemaPackage: string): string {
  return `k8s.io/${schemaPackage.split('.').slice(2).join('/')}`;
}

/** A field with the package that declares it, and the inlined structs that it came through. */
interface FoundField {
  readonly field: GoField;
  readonly owner: GoPackage;
  readonly importPath: string;
  readonly through: readonly string[];
}

/** Computes the shape of each schema from the Go struct of the same name. */
export function extractGoShapes(
  schemas: Readonly<Record<string, Schema>>,
  packages: GoPackages,
): GoShapes {
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => [id, shapeOf(id, schema, packages)]),
  );
}

/** Adds the values of types marked with `+enum`, which only a running server publishes. */
export function withEnums(
  schemas: Readonly<Record<string, Schema>>,
  packages: GoPackages,
): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => {
      const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
        const found = fieldsOf(id, packages).find(({ field }) => field.name === name);
        return [name, found === undefined ? property : enumSchema(property, found, packages)];
      });
      return [
        id,
        schema.properties === undefined
          ? schema
          : { ...schema, properties: Object.fromEntries(properties) as Record<string, Schema> },
      ];
    }),
  );
}

function enumSchema(schema: Schema, found: FoundField, packages: GoPackages): Schema {
  const values = enumValues(resolve(elementOf(found.field.type), found, packages), packages);
  if (values.length === 0) return schema;
  if (schema.items !== undefined) return { ...schema, items: { ...schema.items, enum: values } };
  if (typeof schema.additionalProperties === 'object') {
    const additionalProperties = { ...schema.additionalProperties, enum: values };
    return { ...schema, additionalProperties };
  }
  const { type, format, default: fallback, ...rest } = schema;
  return {
    ...(type !== undefined && { type }),
    ...(format !== undefined && { format }),
    ...(fallback !== undefined && { default: fallback }),
    enum: values,
    ...rest,
  };
}

function enumValues({ name, importPath, owner }: ResolvedName, packages: GoPackages): string[] {
  if (owner?.enums.has(name) !== true) return [];
  const values = [...owner.constants.values()]
    .filter(({ type }) => type === name)
    .map(({ value, from = '' }) => {
      if (value !== undefined) return value;
      const source = resolve(from, { owner, importPath }, packages);
      return source.owner?.constants.get(source.name)?.value;
    });
  return values.filter((value) => value !== undefined).toSorted();
}

function shapeOf(id: string, { properties }: Schema, packages: GoPackages): GoShape {
  if (properties === undefined) return { order: [], pointer: [], always: [] };
  const fields = fieldsOf(id, packages).filter(
    ({ field }) => getKey(properties, field.name) !== undefined,
  );
  const named = (keep: (found: FoundField) => boolean): string[] =>
    fields
      .filter(keep)
      .map(({ field }) => field.name)
      .toSorted();
  const types = fields.flatMap((found): [string, string][] => {
    const type = printedType(found, packages);
    return type === undefined ? [] : [[found.field.name, type]];
  });
  const inline = fields
    .filter(({ through }) => through.length > 0 && through[0] !== 'TypeMeta')
    .map(({ field, through }): [string, string] => [field.name, through.join('.')]);
  return {
    order: fields.map(({ field }) => field.name),
    pointer: named(({ field }) => field.type.startsWith('*')),
    always: named((found) => isAlwaysWritten(found, packages)),
    ...(types.length > 0 && { types: sortedRecord(types) }),
    ...(inline.length > 0 && { inline: sortedRecord(inline) }),
  };
}

function sortedRecord(entries: readonly [string, string][]): Record<string, string> {
  return Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** The fields of a struct in the order of writing, with those of inlined structs in their place. */
function fieldsOf(id: string, packages: GoPackages): FoundField[] {
  const { path, name } = splitSchemaId(id);
  return structFields(name, importPathOf(path), packages, []);
}

function structFields(
  name: string,
  importPath: string,
  packages: GoPackages,
  through: readonly string[],
): FoundField[] {
  const owner = packages(importPath);
  if (owner === undefined) return [];
  const other = owner.aliases.get(name) ?? owner.definitions.get(name);
  if (other !== undefined) {
    const target = resolve(other, { owner, importPath }, packages);
    return structFields(target.name, target.importPath, packages, through);
  }
  return (owner.structs.get(name) ?? []).flatMap((field): FoundField[] => {
    const found = { field, owner, importPath, through };
    if (field.name !== '') return [found];
    const embedded = resolve(field.type, found, packages);
    return structFields(embedded.name, embedded.importPath, packages, [...through, embedded.name]);
  });
}

/** encoding/json omits nothing that is a struct, unless the tag says `omitzero`. */
function isAlwaysWritten(found: FoundField, packages: GoPackages): boolean {
  const { omit, type } = found.field;
  if (omit === undefined) return true;
  if (omit === 'zero' || /^(?:\*|\[|map\[)/.test(type)) return false;
  return isStruct(resolve(type, found, packages), packages);
}

/** True for structs and for types that are defined as one. */
function isStruct({ name, importPath, owner }: ResolvedName, packages: GoPackages): boolean {
  if (owner === undefined) return false;
  if (owner.structs.has(name)) return true;
  const definition = owner.definitions.get(name);
  return (
    definition !== undefined &&
    isStruct(resolve(definition, { owner, importPath }, packages), packages)
  );
}

/** The type as Go prints it, if a type in it is defined by name and not a struct. */
function printedType(found: FoundField, packages: GoPackages): string | undefined {
  let isNamed = false;
  const print = (name: string): string => {
    const resolved = resolve(name, found, packages);
    const { owner } = resolved;
    const isDefined = owner?.definitions.has(resolved.name) === true;
    isNamed ||= isDefined && !isStruct(resolved, packages);
    const isDeclared = isDefined || owner?.structs.has(resolved.name) === true;
    return isDeclared ? `${owner.name}.${resolved.name}` : name;
  };
  const type = found.field.type.replace(/^\*/, '').replaceAll(/(?!map\b)[A-Za-z][\w.]*/g, print);
  return isNamed ? type : undefined;
}

/** `*T`, `[]T`, `map[K]T` → `T` */
function elementOf(type: string): string {
  return type.replace(/^(?:\*|\[\]|map\[[\w.]+\])+/, '');
}

interface ResolvedName {
  readonly name: string;
  readonly importPath: string;
  readonly owner: GoPackage | undefined;
}

/** Finds what a name in a file of a package refers to, through aliases. */
function resolve(
  type: string,
  { owner, importPath }: Pick<FoundField, 'importPath' | 'owner'>,
  packages: GoPackages,
): ResolvedName {
  const [qualifier = '', qualified] = type.replace(/^\*/, '').split('.');
  const path = qualified === undefined ? importPath : (owner.imports.get(qualifier) ?? '');
  const name = qualified ?? qualifier;
  const target = qualified === undefined ? owner : packages(path);
  const alias = target?.aliases.get(name);
  if (target === undefined || alias === undefined) return { name, importPath: path, owner: target };
  return resolve(alias, { owner: target, importPath: path }, packages);
}
