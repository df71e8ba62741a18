import assert from 'node:assert/strict';
import type { JsonObject } from 'client-ts/internal';
import { type ApiError, apiErrorOf, type FieldsV1, type KubernetesObject } from 'client-ts/meta';
import type { Schema } from '../schema/schema.ts';
import { applyManaged, type ApplyRequest, updateManagedFields } from './manager.ts';
import { everything, schemaFrom } from './test-schema.ts';

/** Times of requests. */
export const first: string = '2026-01-01T00:00:01Z';
export const second: string = '2026-01-01T00:00:02Z';
/** A custom resource with every kind of field. */
export const custom: Schema = schemaFrom({
  ...everything,
  properties: {
    ...everything.properties,
    metadata: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        namespace: { type: 'string' },
        uid: { type: 'string' },
        annotations: { type: 'object', additionalProperties: { type: 'string' } },
        managedFields: { type: 'array', items: { type: 'object' } },
      },
    },
  },
});
export const typeMeta: { apiVersion: string; kind: string } = {
  apiVersion: 'example.com/v1',
  kind: 'Thing',
};

/** Options that a test can override. */
export type Options = Partial<Omit<ApplyRequest, 'config' | 'live'>>;
export type Live = KubernetesObject | undefined;

/** A stored object without managed fields. */
export function untracked(content: JsonObject): KubernetesObject {
  return { ...typeMeta, metadata: { name: 'x', uid: '1' }, ...content };
}

/** Applies as manager `m` to an object of the custom resource. */
export function apply(live: Live, config: JsonObject, options: Options = {}): KubernetesObject {
  return applyManaged({
    live,
    config: { ...typeMeta, metadata: { name: 'x' }, ...config },
    schema: custom,
    apiVersion: typeMeta.apiVersion,
    kind: typeMeta.kind,
    manager: 'm',
    force: false,
    now: first,
    ...options,
  }).object;
}

/** Returns the error of an apply. */
export function refusal(live: Live, config: JsonObject, options: Options = {}): ApiError {
  try {
    apply(live, config, options);
  } catch (error) {
    const refused = apiErrorOf(error);
    if (refused !== undefined) return refused;
    throw error;
  }
  return assert.fail('the configuration was accepted');
}

/** Returns the object after an update by `manager`. */
export function update(live: Live, content: JsonObject, manager: string): KubernetesObject {
  const updated = { ...typeMeta, metadata: { name: 'x', uid: '1' }, ...content };
  const managedFields = updateManagedFields({
    live,
    updated,
    schema: custom,
    apiVersion: typeMeta.apiVersion,
    manager,
    now: first,
  });
  return { ...updated, metadata: { ...updated.metadata, ...(managedFields && { managedFields }) } };
}

/** Returns the object without type and metadata. */
export function contentOf(object: KubernetesObject): JsonObject {
  const { apiVersion: _, kind: __, metadata: ___, ...content } = object;
  return content;
}

/** Returns the fields of a manager. */
export function owned(object: KubernetesObject, manager: string): FieldsV1 | undefined {
  return object.metadata?.managedFields?.find((entry) => entry.manager === manager)?.fieldsV1;
}
