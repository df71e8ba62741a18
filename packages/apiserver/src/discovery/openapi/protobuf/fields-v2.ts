import { getKey, isJsonObject, type JsonValue } from 'client-ts/internal';
import {
  any,
  choice,
  count,
  double,
  each,
  entries,
  type FieldWriter,
  flag,
  inside,
  message,
  type MessageFields,
  text,
  texts,
} from './message-fields.ts';

/* The field numbers of gnostic's `openapi.v2` that the documents of this server use. */

const externalDocs = message({
  fields: { description: [1, text], url: [2, text] },
  extensions: 3,
});

/** A type, or a reference to a type. */
export const schemaV2: FieldWriter = (writer, field, value) =>
  message(SCHEMA)(writer, field, value);

const SCHEMA: MessageFields = {
  fields: {
    $ref: [1, text],
    format: [2, text],
    title: [3, text],
    description: [4, text],
    default: [5, any],
    multipleOf: [6, double],
    maximum: [7, double],
    exclusiveMaximum: [8, flag],
    minimum: [9, double],
    exclusiveMinimum: [10, flag],
    maxLength: [11, count],
    minLength: [12, count],
    pattern: [13, text],
    maxItems: [14, count],
    minItems: [15, count],
    uniqueItems: [16, flag],
    maxProperties: [17, count],
    minProperties: [18, count],
    required: [19, texts],
    enum: [20, each(any)],
    additionalProperties: [
      21,
      choice((value) => (typeof value === 'boolean' ? [2, flag] : [1, schemaV2])),
    ],
    type: [22, inside(1, text)],
    items: [23, inside(1, schemaV2)],
    allOf: [24, each(schemaV2)],
    properties: [25, inside(1, entries(schemaV2))],
    discriminator: [26, text],
    readOnly: [27, flag],
    externalDocs: [29, externalDocs],
    example: [30, any],
  },
  extensions: 31,
};

const reference = message({ fields: { $ref: [1, text] } });

const bodyParameter = message({
  fields: {
    description: [1, text],
    name: [2, text],
    in: [3, text],
    required: [4, flag],
    schema: [5, schemaV2],
  },
  extensions: 6,
});

const queryParameter = message({
  fields: {
    required: [1, flag],
    in: [2, text],
    description: [3, text],
    name: [4, text],
    type: [6, text],
    uniqueItems: [20, flag],
  },
  extensions: 23,
});

const pathParameter = message({
  fields: {
    required: [1, flag],
    in: [2, text],
    description: [3, text],
    name: [4, text],
    type: [5, text],
    uniqueItems: [19, flag],
  },
  extensions: 22,
});

const parameter = choice((value) => {
  const place = keyOf(value, 'in');
  if (place === 'body') return [1, bodyParameter];
  return [2, choice(() => (place === 'path' ? [4, pathParameter] : [3, queryParameter]))];
});

const parameterOrReference = choice((value) =>
  keyOf(value, '$ref') === undefined ? [1, parameter] : [2, reference],
);

const response = message({
  fields: { description: [1, text], schema: [2, inside(1, schemaV2)] },
  extensions: 5,
});

const operation = message({
  fields: {
    tags: [1, texts],
    summary: [2, text],
    description: [3, text],
    externalDocs: [4, externalDocs],
    operationId: [5, text],
    produces: [6, texts],
    consumes: [7, texts],
    parameters: [8, each(parameterOrReference)],
    responses: [9, inside(1, entries(inside(1, response)))],
    schemes: [10, texts],
    deprecated: [11, flag],
  },
  extensions: 13,
});

/** The methods of a path. */
export const pathItemV2: FieldWriter = message({
  fields: {
    get: [2, operation],
    put: [3, operation],
    post: [4, operation],
    delete: [5, operation],
    options: [6, operation],
    head: [7, operation],
    patch: [8, operation],
    parameters: [9, each(parameterOrReference)],
  },
  extensions: 10,
});

const info = message({
  fields: { title: [1, text], version: [2, text], description: [3, text] },
  extensions: 7,
});

const apiKey = message({
  fields: { type: [1, text], name: [2, text], in: [3, text], description: [4, text] },
  extensions: 5,
});

/** The keys of a document before its paths and definitions, which are written as fragments. */
export const HEAD_V2: MessageFields = { fields: { swagger: [1, text], info: [2, info] } };

/** The keys of a document after its paths and definitions. */
export const TAIL_V2: MessageFields = {
  fields: {
    parameters: [10, inside(1, entries(parameter))],
    security: [12, each(inside(1, entries(inside(1, texts))))],
    securityDefinitions: [13, inside(1, entries(inside(2, apiKey)))],
  },
};

function keyOf(value: JsonValue, key: string): JsonValue | undefined {
  return isJsonObject(value) ? getKey(value, key) : undefined;
}
