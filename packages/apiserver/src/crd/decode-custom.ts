import { cloneJson, isJsonObject, type JsonObject, quoteGo } from 'client-ts/internal';
import {
  apiVersionOf,
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
import type { CustomResourceVersion } from './custom-resource.ts';
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
 * Coerces a custom resource into the form of its version, in place: when it is read from a body,
 * from storage, or in another version. Returns the paths of pruned fields.
 */
function coerceResource(object: JsonObject, { group, kind, schemaFor }: CustomKind): string[] {
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
    applyDefaults(object, schema);
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
 * Returns a stored custom resource as a version shows it: with that version's apiVersion, pruned
 * and defaulted by its schema. This includes the storage version, whose schema may have changed
 * since the write. The stored object is not modified.
 */
export function readAs(
  stored: DeepReadonly<KubernetesObject>,
  version: CustomResourceVersion,
): KubernetesObject {
  const object = cloneJson(stored) as JsonObject;
  object['apiVersion'] = apiVersionOf(version);
  coerceResource(object, {
    group: version.group,
    kind: version.kind,
    schemaFor: () => version.structural,
  });
  return withSortedKeys(object) as KubernetesObject;
}
