/** Type tests of read-only objects and their copies; the build compiles them. */
import type { CustomResourceDefinition, JSONSchemaProps } from '../api/apiextensions/v1.ts';
import type { Pod } from '../api/core/v1.ts';
import type { JsonObject, JsonValue } from '../lib/json.ts';
import type { DeepReadonly, ReadonlyJsonValue } from '../meta/types.ts';
import { mutableCopy } from './mutable-copy.ts';

export function builtIn(cached: DeepReadonly<Pod>): Pod {
  const pod = mutableCopy(cached);
  // A status has no required field: such types take JSON too, and must not be mistaken for it.
  if (pod.status !== undefined) {
    pod.status.phase = 'Running';
    pod.status.conditions?.push({ type: 'Ready', status: 'True' });
    // @ts-expect-error fields keep their types
    pod.status.conditions = 'Ready';
  }
  // @ts-expect-error the original cannot be written
  cached.status = {};
  // @ts-expect-error nor can what is in its lists
  cached.status?.conditions?.push({ type: 'Ready', status: 'True' });
  return pod;
}

export function withJson(
  crd: DeepReadonly<CustomResourceDefinition>,
  schema: DeepReadonly<JSONSchemaProps>,
): CustomResourceDefinition {
  const value: JsonValue | undefined = mutableCopy(schema).default;
  if (Array.isArray(value)) value.push(1);
  // @ts-expect-error JSON in a cache cannot be written
  schema.enum?.push(1);
  return mutableCopy(crd);
}

export function json(value: ReadonlyJsonValue, object: DeepReadonly<JsonObject>): JsonValue {
  return [mutableCopy(value), mutableCopy(object)];
}

export function anything(value: DeepReadonly<{ list: unknown[] }>): { list: unknown[] } {
  return mutableCopy(value);
}
