import { cloneJson, isJsonObject, type JsonObject, quoteGo } from 'client-ts/internal';
import {
  type DeepReadonly,
  type GroupKind,
  type KubernetesObject,
  parseApiVersion,
} from 'client-ts/meta';

import { withSortedKeys } from '../schema/canonical.ts';
import { type Decoded, DecodeError } from '../schema/decode.ts';
import { type JsonNode, RepeatedObject } from '../schema/json-parser.ts';
import { plainJson } from '../schema/parse-json.ts';
import type { Schema } from '../schema/schema.ts';
import { applyDefaults, dropForbiddenNulls } from './defaulting.ts';
import { coerceEmbedded, coerceMetadata } from './embedded-metadata.ts';
import { pruneResource, stepName } from './pruning.ts';

/** The expected custom resource of a body. */
export interface CustomKind extends GroupKind {
  /** Returns the schema of a version; undefined if the CRD does not have it. */
  readonly schemaFor: (version: string) => Schema | undefined;
}

/** How many findings of one sort are reported. */
const MAX_FINDINGS = 100;

/**
 * Decodes the JSON of a custom resource: prunes and reports unknown fields, coerces metadata,
 * applies defaults and sorts keys. A body of another kind is only parsed, for the caller to reject.
 * Throws a {@link DecodeError}.
 */
export function decodeCustomResource(node: JsonNode, expected: CustomKind): Decoded {
  const duplicates = findDuplicates(node);
  const plain = plainJson(node);
  if (!isJsonObject(plain)) {
    throw new DecodeError(
      `json: cannot unmarshal ${Array.isArray(plain) ? 'array' : typeof plain} into Go value of type map[string]interface {}`,
    );
  }
  const object = withSortedKeys(plain) as JsonObject;
  const unknown = coerceResource(object, expected);
  return {
    object: withSortedKeys(object) as JsonObject,
    findings: [
      ...duplicates.map((path) => `duplicate field ${quoteGo(path)}`),
      // Unlike for built-in kinds, a real server does not escape these.
      ...unknown.map((path) => `unknown field "${path}"`),
    ],
    unknown,
  };
}

/**
 * Coerces a custom resource into the form of its version, in place: when it is read from a body or
 * from storage, or was converted. Returns the paths of pruned fields.
 */
function coerceResource(
  object: JsonObject,
  { group, kind, schemaFor }: CustomKind,
  { defaults = true }: { readonly defaults?: boolean } = {},
): string[] {
  const { apiVersion, metadata } = object;
  const coerced = metadata === undefined ? undefined : coerceMetadata(metadata);
  const actual = parseApiVersion(typeof apiVersion === 'string' ? apiVersion : '');
  const unknown: string[] = [];
  const report = (paths: readonly string[] = []): void => {
    unknown.push(...paths.slice(0, MAX_FINDINGS - unknown.length));
  };
  report(coerced?.unknown);
  if (actual.group === group && object['kind'] === kind) {
    // A version that the CRD does not have has no fields.
    const schema = schemaFor(actual.version) ?? {};
    report(pruneResource(object, schema));
    dropForbiddenNulls(object, schema);
    report(coerceEmbedded(object, schema));
    if (defaults) applyDefaults(object, schema);
  }
  if (coerced !== undefined) object['metadata'] = coerced.metadata;
  return unknown;
}

/** Returns the paths of duplicate keys, in the order of the text. */
function findDuplicates(node: JsonNode): string[] {
  const found = new Set<string>();
  const visit = (value: JsonNode, path: string): void => {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item as JsonNode, `${path}[${index}]`);
      return;
    }
    if (!(value instanceof RepeatedObject) && !isJsonObject(value)) return;
    const seen = new Set<string>();
    const entries = value instanceof RepeatedObject ? value.entries : Object.entries(value);
    for (const [key, item] of entries) {
      const at = path === '' ? stepName(key) : `${path}.${stepName(key)}`;
      if (seen.has(key) && found.size < MAX_FINDINGS) found.add(at);
      seen.add(key);
      visit(item, at);
    }
  };
  visit(node, '');
  return [...found];
}

/**
 * Returns a copy of a stored custom resource, pruned and defaulted by the version that it is stored
 * in, whose schema may have changed since the write.
 */
export function readStored(stored: DeepReadonly<KubernetesObject>, kind: CustomKind): JsonObject {
  const object = cloneJson(stored) as JsonObject;
  coerceResource(object, kind);
  return withSortedKeys(object) as JsonObject;
}

/** Returns a copy of a custom resource with another `apiVersion`, pruned by that version. */
export function asVersion(object: JsonObject, apiVersion: string, kind: CustomKind): JsonObject {
  const copy = { ...cloneJson(object), apiVersion };
  coerceResource(copy, kind, { defaults: false });
  return withSortedKeys(copy) as JsonObject;
}
