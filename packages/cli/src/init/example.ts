import type { JSONSchemaProps } from 'client-ts/api/apiextensions/v1';
import { getKey, type JsonObject, type JsonValue, setKey } from 'client-ts/internal';

/**
 * Returns a small value that fits a schema: its default, its first choice, or the smallest value of
 * its type with the fields that are required. A pattern, a format or a CEL rule may still refuse it.
 */
export function exampleOf(schema: JSONSchemaProps): JsonValue {
  if (schema.default !== undefined) return schema.default;
  const [choice] = schema.enum ?? [];
  if (choice !== undefined) return choice;
  if (schema['x-kubernetes-int-or-string'] === true) return 1;
  switch (schema.type) {
    case 'array':
      return exampleList(schema);
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return exampleNumber(schema);
    case 'string':
      return exampleText(schema);
    default:
      return exampleObject(schema);
  }
}

function exampleList({ items, minItems = 0 }: JSONSchemaProps): JsonValue[] {
  const item = items === undefined || Array.isArray(items) ? {} : items;
  return Array.from({ length: minItems }, () => exampleOf(item));
}

function exampleNumber(schema: JSONSchemaProps): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf = 1 } = schema;
  if (minimum !== undefined) {
    const first = Math.ceil(minimum / multipleOf) * multipleOf;
    return exclusiveMinimum === true && first === minimum ? first + multipleOf : first;
  }
  if (maximum === undefined) return multipleOf;
  const last = Math.floor(maximum / multipleOf) * multipleOf;
  return exclusiveMaximum === true && last === maximum ? last - multipleOf : last;
}

const formats: Readonly<Record<string, string>> = {
  byte: 'ZXhhbXBsZQ==',
  date: '2026-01-31',
  'date-time': '2026-01-31T09:00:00Z',
  duration: '1h',
  email: 'someone@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  uuid: '6fa459ea-ee8a-4ca4-894e-db77e160355e',
};

function exampleText({
  format = '',
  minLength = 0,
  maxLength = Infinity,
}: JSONSchemaProps): string {
  const text = getKey(formats, format) ?? 'example';
  return text.padEnd(minLength, 'x').slice(0, maxLength);
}

function exampleObject(schema: JSONSchemaProps): JsonObject {
  const object: JsonObject = {};
  for (const name of schema.required ?? []) {
    const property = getKey(schema.properties ?? {}, name);
    if (property !== undefined) setKey(object, name, exampleOf(property));
  }
  if (schema['x-kubernetes-embedded-resource'] === true) {
    Object.assign(object, { apiVersion: 'v1', kind: 'ConfigMap' });
  }
  return object;
}
