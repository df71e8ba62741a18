import assert from 'node:assert/strict';
import type { JsonObject } from 'client-ts/internal';
import { type ApiError, apiErrorOf, type FieldsV1, type KubernetesObject } from 'client-ts/meta';
import type { Schema } from '../schema/schema.ts';
import { applyManaged, type ApplyRequest, updateManagedFields } from './manager.ts';
import { everything, schemaFrom } from './test-schema.ts';

/** Times of requests. */
export const first: string = '2026-01-01T00:00:01Z';
export const second: string = '2026-01-01T00:00:02Z';
/** A custom resource with everything there is. */
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

/** What a test may want to be different. */
export type Options = Partial<Omit<ApplyRequest, 'config' | 'live'>>;
export type Live = KubernetesObject | undefined;

/** A stored object that nobody has applied to. */
export function untracked(content: JsonObject): KubernetesObject {
  return { ...typeMeta, metadata: { name: 'x', uid: '1' }, ...content };
}

/** Applies as manager `m` to an object with everything that a custom resource can have. */
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

/** The error that an apply ends with. */
export function refusal(live: Live, config: JsonObject, options: Options = {}): ApiError {
  try {
    apply(live, config, options);
  } catch (error) {
    const refused = apiErrorOf(error);
    if (refused !== undefined) return refused;
    throw error;
  }
  return assert.fail('the configuration was not refused');
}

/** What an update by `manager` makes of an object. */
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

/** The object without what every object has. */
export function contentOf(object: KubernetesObject): JsonObject {
  const { apiVersion: _, kind: __, metadata: ___, ...content } = object;
  return content;
}

/** The fields of a manager. */
export function owned(object: KubernetesObject, manager: string): FieldsV1 | undefined {
  return object.metadata?.managedFields?.find((entry) => entry.manager === manager)?.fieldsV1;
}
