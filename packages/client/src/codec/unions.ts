import { isJsonObject, type JsonObject, type JsonValue } from '../lib/json.ts';

/** A message whose JSON is not an object of its fields, but the one field that is set. */
export interface Union {
  /** What may stand in JSON, for error messages. */
  readonly expects: string;
  toJson(fields: JsonObject): JsonValue;
  /** Undefined if the value cannot be one of this type. */
  toFields(value: JsonValue): JsonObject | undefined;
}

/** The unions of CRD schemas, by the name of their message. */
export const unions: ReadonlyMap<string, Union> = new Map<string, Union>([
  [
    'JSONSchemaPropsOrArray',
    {
      expects: 'a schema or a list of schemas',
      toJson: ({ jSONSchemas, schema }) => jSONSchemas ?? schema ?? null,
      toFields: (value) => {
        if (Array.isArray(value)) return { jSONSchemas: value };
        return isJsonObject(value) ? { schema: value } : undefined;
      },
    },
  ],
  [
    'JSONSchemaPropsOrBool',
    {
      expects: 'a schema or a boolean',
      toJson: ({ allows, schema }) => schema ?? allows ?? false,
      toFields: (value) => {
        if (typeof value === 'boolean') return { allows: value };
        return isJsonObject(value) ? { allows: true, schema: value } : undefined;
      },
    },
  ],
  [
    'JSONSchemaPropsOrStringArray',
    {
      expects: 'a schema or a list of strings',
      toJson: ({ property, schema }) => property ?? schema ?? null,
      toFields: (value) => {
        if (Array.isArray(value)) return { property: value };
        return isJsonObject(value) ? { schema: value } : undefined;
      },
    },
  ],
]);
