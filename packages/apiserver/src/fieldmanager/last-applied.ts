import { isJsonObject, type JsonObject, type JsonValue, toGoJson } from 'client-ts/internal';
import { compare } from './compare.ts';
import { difference, emptySet, type FieldSet, hasPath } from './field-set.ts';
import { type FieldType, fieldTypeOf } from './field-type.ts';
import { toFieldSet } from './typed-set.ts';
import type { Conflict, UpdateContext } from './updater.ts';
import { validateConfig } from './validate.ts';

/** The annotation where client-side apply stores its last configuration. */
const annotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** The manager that can migrate from client-side to server-side apply without conflicts. */
export const upgradingManager = 'kubectl';

/** The limit for all annotations of an object, in bytes. */
const maxAnnotationsSize = 256 * 1024;

/**
 * Returns the conflicts that are left if fields that client-side apply wrote, and that have not
 * changed since, count as the manager's own.
 */
export function conflictsAfterUpgrade(
  conflicts: readonly Conflict[],
  live: JsonObject,
  context: UpdateContext,
): readonly Conflict[] {
  const owned = fieldsOfClientSideApply(live, context);
  return conflicts.filter(({ path }) => !hasPath(owned, path));
}

function fieldsOfClientSideApply(live: JsonObject, context: UpdateContext): FieldSet {
  const lastApplied = parseObject(lastAppliedOf(live));
  if (lastApplied?.['apiVersion'] !== context.apiVersion) return emptySet;
  const type = fieldTypeOf(context.schema);
  const isTyped = [live, lastApplied].every((object) => validateConfig(object, type) === undefined);
  return isTyped ? unchangedFields(lastApplied, live, type) : emptySet;
}

function unchangedFields(lastApplied: JsonObject, live: JsonObject, type: FieldType): FieldSet {
  const { added, modified, removed } = compare(lastApplied, live, type);
  return [added, modified, removed].reduce(difference, toFieldSet(lastApplied, type));
}

/**
 * Updates the annotation of client-side apply in place, if there is one, so that users can go back.
 */
export function refreshLastApplied(object: JsonObject, config: JsonObject): void {
  if ((lastAppliedOf(object) ?? '') === '') return;
  const annotations = annotationsOf(object) ?? {};
  annotations[annotation] = `${toGoJson(withoutAnnotation(config))}\n`;
  const size = Object.entries(annotations)
    .flatMap(([name, value]) => [name, typeof value === 'string' ? value : ''])
    .map((text) => Buffer.byteLength(text))
    .reduce((sum, bytes) => sum + bytes, 0);
  if (size > maxAnnotationsSize) delete annotations[annotation];
}

function withoutAnnotation(config: JsonObject): JsonObject {
  const { metadata } = config;
  const annotations = annotationsOf(config);
  if (!isJsonObject(metadata) || annotations === undefined) return config;
  const { [annotation]: _, ...others } = annotations;
  return { ...config, metadata: { ...metadata, annotations: others } };
}

function annotationsOf({ metadata }: JsonObject): JsonObject | undefined {
  const annotations = isJsonObject(metadata) ? metadata['annotations'] : undefined;
  return isJsonObject(annotations) ? annotations : undefined;
}

function lastAppliedOf(object: JsonObject): string | undefined {
  const value = annotationsOf(object)?.[annotation];
  return typeof value === 'string' ? value : undefined;
}

function parseObject(text: string | undefined): JsonObject | undefined {
  try {
    const value = JSON.parse(text ?? '') as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
