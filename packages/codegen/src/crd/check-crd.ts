import { isJsonObject, jsonEqual } from 'client-ts/internal';
import { validateDns1035Label, validateDns1123Subdomain } from 'client-ts/meta';

import type { Place } from './source.ts';

/**
 * Reports what prevents generating types from a CustomResourceDefinition: names, versions and
 * schemas that a server would refuse. What does not affect types (CEL rules, printer columns,
 * conversion) is left to the server.
 */
export function checkCrd(crd: Place): void {
  if (!isCrd(crd)) return;
  const spec = crd.at('spec');
  if (spec.object() === undefined) return;
  checkGroup(spec.at('group'));
  checkNames(spec.at('names'));
  checkMetadataName(crd);
  const scope = spec.at('scope').text();
  if (scope !== undefined && scope !== 'Cluster' && scope !== 'Namespaced') {
    spec.at('scope').report(`${JSON.stringify(scope)} is not a scope: use Cluster or Namespaced`);
  }
  if (spec.at('preserveUnknownFields').flag()) {
    spec
      .at('preserveUnknownFields')
      .report('must not be true: set x-kubernetes-preserve-unknown-fields in the schema instead');
  }
  checkVersions(spec);
}

function isCrd(crd: Place): boolean {
  const value = crd.object();
  if (value === undefined) return false;
  const { apiVersion, kind } = value;
  if (kind !== 'CustomResourceDefinition') {
    crd.at('kind').report('must be CustomResourceDefinition, but this is not a Kubernetes object');
    return false;
  }
  if (apiVersion === 'apiextensions.k8s.io/v1') return true;
  crd
    .at('apiVersion')
    .report(
      apiVersion === 'apiextensions.k8s.io/v1beta1'
        ? 'apiextensions.k8s.io/v1beta1 is gone since Kubernetes 1.22: convert the definition to apiextensions.k8s.io/v1'
        : 'must be apiextensions.k8s.io/v1',
    );
  return false;
}

function checkGroup(group: Place): void {
  const value = group.text();
  if (value === undefined) return;
  for (const message of validateDns1123Subdomain(value)) group.report(message);
  if (!value.includes('.')) group.report('must be a domain with at least one dot');
}

function checkNames(names: Place): void {
  if (names.object() === undefined) return;
  checkLabel(names.at('plural'));
  checkLabel(names.at('kind'), { ignoreCase: true });
  if (!names.at('singular').isAbsent) checkLabel(names.at('singular'));
  if (!names.at('listKind').isAbsent) checkLabel(names.at('listKind'), { ignoreCase: true });
  for (const list of ['shortNames', 'categories']) {
    for (const item of names.at(list).items()) checkLabel(item);
  }
  const { kind, listKind } = isJsonObject(names.value) ? names.value : {};
  if (kind !== undefined && kind === listKind) {
    names.at('listKind').report('must not be the same as kind');
  }
}

function checkLabel(place: Place, { ignoreCase = false } = {}): void {
  const value = place.text();
  if (value === undefined) return;
  for (const message of validateDns1035Label(ignoreCase ? value.toLowerCase() : value)) {
    place.report(ignoreCase ? `may have capitals, but apart from that ${message}` : message);
  }
}

function checkMetadataName(crd: Place): void {
  const plural = crd.at('spec', 'names', 'plural').value;
  const group = crd.at('spec', 'group').value;
  const name = crd.at('metadata', 'name');
  if (name.text() === undefined || typeof plural !== 'string' || typeof group !== 'string') return;
  if (name.value !== `${plural}.${group}`) {
    name.report(`must be spec.names.plural + "." + spec.group: ${plural}.${group}`);
  }
}

function checkVersions(spec: Place): void {
  const versions = spec.at('versions');
  const items = versions.items();
  if (items.length === 0) {
    if (versions.isAbsent || Array.isArray(versions.value)) versions.report('is required');
    return;
  }
  const seen = new Set<unknown>();
  for (const version of items) {
    if (version.object() === undefined) continue;
    checkLabel(version.at('name'));
    const name = version.at('name').value;
    if (seen.has(name)) version.at('name').report(`${JSON.stringify(name)} is listed twice`);
    seen.add(name);
    checkVersionSchema(version);
  }
  if (!items.some((version) => version.at('served').flag())) {
    versions.report('has no version with served: true, so there are no types to generate');
  }
  if (items.filter((version) => version.at('storage').flag()).length !== 1) {
    versions.report('must have exactly one version with storage: true');
  }
}

function checkVersionSchema(version: Place): void {
  const schema = version.at('schema', 'openAPIV3Schema');
  if (schema.isAbsent) schema.report('is required');
  else checkStructure(schema, 'root');
}

/** The position of a schema, which decides what it must have. */
type Level = 'root' | 'property' | 'item';

const types: ReadonlySet<unknown> = new Set([
  'array',
  'boolean',
  'integer',
  'number',
  'object',
  'string',
]);

const typeList = [...types].join(', ');

/** Keywords of JSON Schema that CustomResourceDefinitions must not have, and what to do instead. */
const unsupported: Readonly<Record<string, string>> = {
  $ref: 'is not supported: write the schema out where it is used',
  additionalItems: 'is not supported: give all items one schema in items',
  definitions: 'is not supported: write the schemas out where they are used',
  dependencies: 'is not supported: use x-kubernetes-validations',
  id: 'is not supported',
  patternProperties: 'is not supported: use additionalProperties or x-kubernetes-validations',
};

/** Keywords that are not allowed inside allOf, anyOf, oneOf and not. */
const structuralKeywords = [
  'additionalProperties',
  'default',
  'description',
  'nullable',
  'title',
  'type',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
];

const junctors = ['allOf', 'anyOf', 'oneOf'] as const;

/**
 * Reports where a schema is not structural. In a structural schema every field has one type, stated
 * once; a server refuses other schemas, and they have no TypeScript type.
 */
function checkStructure(schema: Place, level: Level): void {
  if (schema.object() === undefined) return;
  checkType(schema, level);
  checkKeywords(schema);
  checkExtensions(schema);
  checkObject(schema, level);
  checkArray(schema);
  for (const [, property] of schema.at('properties').entries()) {
    checkStructure(property, 'property');
  }
  checkJunctors(schema, { types: 'anyOf', ...(level === 'root' ? { outside: schema } : {}) });
}

function checkType(schema: Place, level: Level): void {
  const type = schema.at('type');
  const isOpen =
    schema.at('x-kubernetes-int-or-string').flag() ||
    schema.at('x-kubernetes-preserve-unknown-fields').flag();
  if (type.isAbsent || type.value === '') {
    if (schema.at('x-kubernetes-embedded-resource').flag()) {
      type.report('is required: an embedded resource is an object');
    } else if (!isOpen) type.report(`is required: one of ${typeList}`);
    return;
  }
  if (!types.has(type.value)) {
    const hint = type.value === 'null' ? ': use nullable: true' : `: use one of ${typeList}`;
    type.report(`${JSON.stringify(type.value)} is not a type${hint}`);
  } else if (level === 'root' && type.value !== 'object') {
    type.report('must be object: this is the schema of a kind');
  }
}

function checkKeywords(schema: Place): void {
  for (const [keyword, message] of Object.entries(unsupported)) {
    if (!isEmpty(schema.at(keyword))) schema.at(keyword).report(message);
  }
  if (schema.at('uniqueItems').flag()) {
    schema.at('uniqueItems').report('must not be true: use x-kubernetes-list-type: set');
  }
  for (const required of schema.at('required').items()) required.text();
}

function checkExtensions(schema: Place): void {
  const preserves = schema.at('x-kubernetes-preserve-unknown-fields');
  if (preserves.value === false) preserves.report('must be true or left out');
  if (!schema.at('x-kubernetes-int-or-string').flag()) return;
  for (const other of ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource']) {
    if (schema.at(other).flag()) {
      schema.at(other).report('must be left out beside x-kubernetes-int-or-string');
    }
  }
}

function checkObject(schema: Place, level: Level): void {
  const isEmbedded = schema.at('x-kubernetes-embedded-resource').flag();
  if (isEmbedded && !schema.at('type').isAbsent && schema.at('type').value !== 'object') {
    schema.at('type').report('must be object: this is an embedded resource');
  }
  const preserves = schema.at('x-kubernetes-preserve-unknown-fields').flag();
  if (isEmbedded && !preserves && schema.at('properties').entries().length === 0) {
    schema
      .at('properties')
      .report(
        'is required: without it or x-kubernetes-preserve-unknown-fields all fields are dropped',
      );
  }
  if (level === 'root' || isEmbedded) checkTypeMeta(schema, level);

  const additional = schema.at('additionalProperties');
  if (additional.isAbsent) return;
  const hasProperties = schema.at('properties').entries().length > 0;
  if (level === 'root') additional.report('must not be used at the root');
  else if (isEmbedded) additional.report('must not be used in an embedded resource');
  else if (hasProperties && additional.value !== true) {
    additional.report('must not be used beside properties: an object is a struct or a map');
  }
  if (typeof additional.value !== 'boolean') checkStructure(additional, 'property');
}

/** `apiVersion`, `kind` and `metadata` are defined by Kubernetes; a schema can only narrow the name. */
function checkTypeMeta(schema: Place, level: Level): void {
  for (const name of ['apiVersion', 'kind']) {
    const property = schema.at('properties', name);
    if (!property.isAbsent && property.at('type').value !== 'string') {
      property.at('type').report('must be string');
    }
  }
  const metadata = schema.at('properties', 'metadata');
  if (metadata.isAbsent) return;
  if (metadata.at('type').value !== 'object') metadata.at('type').report('must be object');
  if (level !== 'root') return;
  for (const [name, property] of metadata.at('properties').entries()) {
    if (name !== 'name' && name !== 'generateName') {
      property.report('must be left out: of metadata only name and generateName can be restricted');
    }
  }
}

function checkArray(schema: Place): void {
  const items = schema.at('items');
  if (items.isAbsent) {
    if (schema.at('type').value === 'array') items.report('is required: the schema of the items');
    return;
  }
  if (Array.isArray(items.value)) items.report('must be one schema, not a list of them');
  else checkStructure(items, 'item');
}

/** What is allowed in a branch of allOf, anyOf, oneOf or not. */
interface BranchRules {
  /** Where the exception for integers or strings is allowed: see {@link isIntOrString}. */
  readonly types?: 'anyOf' | 'allOf';
  /** The schema that must have every field of the branch. */
  readonly outside?: Place;
}

/**
 * Inside allOf, anyOf, oneOf and not a schema may only narrow what is specified outside of them.
 * Fields that are specified nowhere else are refused only below the root, as servers do.
 */
function checkJunctors(schema: Place, { types, ...rules }: BranchRules): void {
  for (const junctor of junctors) {
    if (junctor === 'anyOf' && types !== undefined && isIntOrString(schema)) continue;
    for (const [index, branch] of schema.at(junctor).items().entries()) {
      const isFirst = types === 'anyOf' && junctor === 'allOf' && index === 0;
      checkBranch(branch, isFirst ? { ...rules, types: 'allOf' } : rules);
    }
  }
  if (!schema.at('not').isAbsent) checkBranch(schema.at('not'), rules);
}

function checkBranch(branch: Place, rules: BranchRules): void {
  if (branch.object() === undefined) return;
  for (const keyword of structuralKeywords) {
    const place = branch.at(keyword);
    if (!place.isAbsent && place.value !== false && place.value !== '') {
      place.report('must be outside of allOf, anyOf, oneOf and not');
    }
  }
  for (const [name, property] of branch.at('properties').entries()) {
    checkBranchPart(property, rules.outside?.at('properties', name));
  }
  if (!branch.at('items').isAbsent) checkBranchPart(branch.at('items'), rules.outside?.at('items'));
  checkJunctors(branch, rules);
}

function checkBranchPart(part: Place, outside: Place | undefined): void {
  if (outside?.isAbsent === true) {
    part.report('must also be specified outside of allOf, anyOf, oneOf and not');
  } else checkBranch(part, outside === undefined ? {} : { outside });
}

/** `anyOf: [{ type: integer }, { type: string }]`, allowed in a schema and in its first allOf. */
function isIntOrString(schema: Place): boolean {
  return jsonEqual(schema.at('anyOf').value, [{ type: 'integer' }, { type: 'string' }]);
}

/** True for a keyword without effect: left out, or an empty object or list. */
function isEmpty(place: Place): boolean {
  const { value } = place;
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
