import { type JsonObject, setKey } from 'client-ts/internal';
import type { Model } from '../../schema/model.ts';
import { BEARER_TOKEN, documentInfo, type Fragment, STATUS_TEXT } from './document-parts.ts';
import {
  type ApiPath,
  type Operation,
  pathParameters,
  QUERY_PARAMETERS,
  type QueryParameter,
  sharedQuery,
  TEXT,
  unknownQuery,
} from './operation.ts';
import {
  describeOperation,
  describePathParameter,
  describeQuery,
  kindOfPath,
} from './operation-texts.ts';
import { HEAD_V2, TAIL_V2 } from './protobuf/fields-v2.ts';
import { writeFields } from './protobuf/message-fields.ts';
import { ProtobufWriter } from './protobuf/protobuf-writer.ts';
import { kindJson, refV2 } from './types.ts';

/** The whole API in one document. Paths and definitions are sorted by name. */
export interface DocumentV2 {
  readonly model: Model;
  readonly paths: readonly Fragment[];
  readonly definitions: readonly Fragment[];
}

/** Returns the document as JSON. */
export function jsonV2({ model, paths, definitions }: DocumentV2): Buffer {
  const texts = (fragments: readonly Fragment[]): string =>
    fragments.map(({ name, json }) => `${JSON.stringify(name)}:${json}`).join(',');
  return Buffer.from(
    `${JSON.stringify(head(model)).slice(0, -1)},"paths":{${texts(paths)}},` +
      `"definitions":{${texts(definitions)}},${JSON.stringify(tail(model)).slice(1)}`,
  );
}

/** Returns the document as gnostic's `openapi.v2.Document`. */
export function protobufV2({ model, paths, definitions }: DocumentV2): Uint8Array {
  const writer = new ProtobufWriter();
  writeFields(writer, HEAD_V2, head(model));
  writer.message(8, () => {
    for (const path of paths) writer.bytes(2, path.protobuf());
  });
  writer.message(9, () => {
    for (const definition of definitions) writer.bytes(1, definition.protobuf());
  });
  writeFields(writer, TAIL_V2, tail(model));
  return writer.finish();
}

function head(model: Model): JsonObject {
  return { swagger: '2.0', info: documentInfo(model) };
}

function tail(model: Model): JsonObject {
  const unknown = unknownQuery(model);
  const names = (Object.keys(QUERY_PARAMETERS) as QueryParameter[]).filter(
    (name) => !isUsedByKubectl(name) && !unknown.has(name),
  );
  return {
    parameters: Object.fromEntries(names.map((name) => [name, queryParameter(name)])),
    securityDefinitions: { BearerToken: BEARER_TOKEN },
    security: [{ BearerToken: [] }],
  };
}

/** Returns a path with its methods. */
export function pathItem(path: ApiPath): JsonObject {
  const shared = sharedQuery(path);
  const kind = kindOfPath(Object.values(path.operations));
  const inPath = pathParameters(path.path).map((name) => ({
    uniqueItems: true,
    type: 'string',
    description: describePathParameter(name, kind),
    name,
    in: 'path',
    required: true,
  }));
  const parameters = [...inPath, ...[...shared].map(parameter)];
  const item: JsonObject = {};
  for (const [method, each] of Object.entries(path.operations)) {
    const query = each.query.filter((name) => !shared.has(name));
    setKey(item, method, operation(each, query));
  }
  return { ...item, ...(parameters.length > 0 && { parameters }) };
}

function operation(each: Operation, query: readonly QueryParameter[]): JsonObject {
  const { id, tag, action, kind, body, consumes, produces, responses } = each;
  const parameters = [
    ...(body === undefined ? [] : [bodyParameter(body)]),
    ...query.map(parameter),
  ];
  return {
    description: describeOperation(each),
    ...(consumes.length > 0 && { consumes: [...consumes] }),
    produces: [...produces],
    schemes: ['https'],
    tags: [tag],
    operationId: id,
    ...(parameters.length > 0 && { parameters }),
    responses: Object.fromEntries([
      ...Object.entries(responses).map(([status, type]) => [
        status,
        { description: STATUS_TEXT[Number(status)] ?? '', schema: schemaOf(type) },
      ]),
      ['401', { description: STATUS_TEXT[401] ?? '' }],
    ]),
    ...(action && { 'x-kubernetes-action': action }),
    ...(kind && { 'x-kubernetes-group-version-kind': kindJson(kind) }),
  };
}

function schemaOf(type: string): JsonObject {
  return type === TEXT ? { type: 'string' } : refV2(type);
}

function bodyParameter({ type, required }: NonNullable<Operation['body']>): JsonObject {
  return { name: 'body', in: 'body', ...(required && { required }), schema: refV2(type) };
}

/** Parameters are defined once in the document and referenced. */
function parameter(name: QueryParameter): JsonObject {
  return isUsedByKubectl(name) ? queryParameter(name) : { $ref: `#/parameters/${name}` };
}

/** kubectl detects features of a server by these parameters and does not resolve references. */
function isUsedByKubectl(name: QueryParameter): boolean {
  return name === 'dryRun' || name === 'fieldValidation';
}

function queryParameter(name: QueryParameter): JsonObject {
  const description = describeQuery(name);
  return { uniqueItems: true, type: QUERY_PARAMETERS[name], description, name, in: 'query' };
}
