import { isJsonObject } from 'client-ts/internal';
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

/* The field numbers of gnostic's `openapi.v3` that the documents of this server use. */

const externalDocs = message({
  fields: { description: [1, text], url: [2, text] },
  extensions: 3,
});

const reference = message({ fields: { $ref: [1, text] } });

/** Almost every object can also be a reference. */
function orReference(write: FieldWriter): FieldWriter {
  return choice((value) =>
    isJsonObject(value) && value['$ref'] !== undefined ? [2, reference] : [1, write],
  );
}

const plainSchema: FieldWriter = (writer, field, value) => message(SCHEMA)(writer, field, value);
const schema = orReference(plainSchema);

/** Only scalars are encoded; an object becomes an empty message. */
const defaultValue: FieldWriter = (writer, field, value) => {
  writer.message(field, () => {
    const scalar = scalars[typeof value];
    if (scalar !== undefined) scalar[1](writer, scalar[0], value);
  });
};

const scalars: Readonly<Record<string, readonly [number, FieldWriter]>> = {
  number: [1, (writer, field, value): void => writer.double(field, value as number)],
  boolean: [2, (writer, field, value): void => writer.boolean(field, value as boolean)],
  string: [3, (writer, field, value): void => writer.string(field, value as string)],
};

const SCHEMA: MessageFields = {
  fields: {
    nullable: [1, flag],
    readOnly: [3, flag],
    writeOnly: [4, flag],
    externalDocs: [6, externalDocs],
    example: [7, any],
    deprecated: [8, flag],
    title: [9, text],
    multipleOf: [10, double],
    maximum: [11, double],
    exclusiveMaximum: [12, flag],
    minimum: [13, double],
    exclusiveMinimum: [14, flag],
    maxLength: [15, count],
    minLength: [16, count],
    pattern: [17, text],
    maxItems: [18, count],
    minItems: [19, count],
    uniqueItems: [20, flag],
    maxProperties: [21, count],
    minProperties: [22, count],
    required: [23, texts],
    enum: [24, each(any)],
    type: [25, text],
    allOf: [26, each(schema)],
    oneOf: [27, each(schema)],
    anyOf: [28, each(schema)],
    not: [29, plainSchema],
    items: [30, inside(1, schema)],
    properties: [31, inside(1, entries(schema))],
    additionalProperties: [
      32,
      choice((value) => (typeof value === 'boolean' ? [2, flag] : [1, schema])),
    ],
    default: [33, defaultValue],
    description: [34, text],
    format: [35, text],
  },
  extensions: 36,
};

const mediaTypes = inside(1, entries(message({ fields: { schema: [1, schema] }, extensions: 5 })));

const parameter = orReference(
  message({
    fields: {
      name: [1, text],
      in: [2, text],
      description: [3, text],
      required: [4, flag],
      schema: [10, schema],
    },
    extensions: 14,
  }),
);

const requestBody = orReference(
  message({
    fields: { description: [1, text], content: [2, mediaTypes], required: [3, flag] },
    extensions: 4,
  }),
);

const response = orReference(
  message({
    fields: { description: [1, text], content: [3, mediaTypes] },
    extensions: 5,
  }),
);

const operation = message({
  fields: {
    tags: [1, texts],
    summary: [2, text],
    description: [3, text],
    externalDocs: [4, externalDocs],
    operationId: [5, text],
    parameters: [6, each(parameter)],
    requestBody: [7, requestBody],
    responses: [8, inside(2, entries(response))],
    deprecated: [10, flag],
  },
  extensions: 13,
});

const pathItem = message({
  fields: {
    get: [4, operation],
    put: [5, operation],
    post: [6, operation],
    delete: [7, operation],
    options: [8, operation],
    head: [9, operation],
    patch: [10, operation],
    parameters: [13, each(parameter)],
  },
  extensions: 14,
});

const info = message({
  fields: { title: [1, text], description: [2, text], version: [6, text] },
  extensions: 7,
});

const securityScheme = orReference(
  message({
    fields: { type: [1, text], description: [2, text], name: [3, text], in: [4, text] },
    extensions: 9,
  }),
);

const components = message({
  fields: {
    schemas: [1, inside(1, entries(schema))],
    securitySchemes: [7, inside(1, entries(securityScheme))],
  },
  extensions: 10,
});

/** A whole document. */
export const DOCUMENT_V3: MessageFields = {
  fields: {
    openapi: [1, text],
    info: [2, info],
    paths: [4, inside(1, entries(pathItem))],
    components: [5, components],
  },
  extensions: 9,
};
