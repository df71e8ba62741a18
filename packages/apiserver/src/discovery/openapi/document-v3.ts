import { type JsonObject, setKey } from 'client-ts/internal';
import type { GroupVersion } from 'client-ts/meta';
import type { Model } from '../../schema/model.ts';
import { BEARER_TOKEN, byName, documentInfo, STATUS_TEXT, typesOf } from './document-parts.ts';
import {
  type ApiPath,
  type Operation,
  pathParameters,
  QUERY_PARAMETERS,
  type QueryParameter,
  sharedQuery,
  TEXT,
} from './operation.ts';
import {
  describeOperation,
  describePathParameter,
  describeQuery,
  kindOfPath,
} from './operation-texts.ts';
import { DOCUMENT_V3 } from './protobuf/fields-v3.ts';
import { writeFields } from './protobuf/message-fields.ts';
import { ProtobufWriter } from './protobuf/protobuf-writer.ts';
import { kindJson, reachableTypes, refV3, type TypeSource, typeV3 } from './types.ts';

/** Returns the OpenAPI v3 document of some paths, with every type that they use. */
export function documentV3(
  paths: readonly ApiPath[],
  groupVersion: GroupVersion,
  types: TypeSource,
  model: Model,
): JsonObject {
  const schemas: JsonObject = {};
  // Older releases list every version of shared kinds in every document.
  const own = model.minor < 36 ? undefined : groupVersion;
  for (const [name, type] of reachableTypes(typesOf(paths), types)) {
    setKey(schemas, name, typeV3(type, own));
  }
  const items = paths.map((path) => [path.path, pathItem(path)] as const);
  return {
    openapi: '3.0.0',
    info: documentInfo(model),
    paths: Object.fromEntries(items.toSorted(byName)),
    components: {
      ...(Object.keys(schemas).length > 0 && { schemas }),
      securitySchemes: { BearerToken: BEARER_TOKEN },
    },
  };
}

/** Returns the document as gnostic's `openapi.v3.Document`. */
export function protobufV3(document: JsonObject): Uint8Array {
  const writer = new ProtobufWriter();
  writeFields(writer, DOCUMENT_V3, document);
  return writer.finish();
}

function pathItem(path: ApiPath): JsonObject {
  const shared = sharedQuery(path);
  const kind = kindOfPath(Object.values(path.operations));
  const parameters: Parameter[] = [
    ...pathParameters(path.path).map((name) => ({
      ...parameter(name, 'path', 'string'),
      description: describePathParameter(name, kind),
    })),
    ...[...shared].map(queryParameter),
  ];
  const item: JsonObject = {};
  for (const [method, each] of Object.entries(path.operations)) {
    const query = each.query.filter((name) => !shared.has(name));
    setKey(item, method, operation(each, query));
  }
  return {
    ...item,
    ...(parameters.length > 0 && { parameters: parameters.toSorted(byParameterName) }),
  };
}

function operation(each: Operation, query: readonly QueryParameter[]): JsonObject {
  const { id, tag, action, kind, body, consumes, produces, responses } = each;
  return {
    tags: [tag],
    description: describeOperation(each),
    operationId: id,
    ...(query.length > 0 && { parameters: query.map(queryParameter) }),
    ...(body && {
      requestBody: {
        content: content(consumes, body.type),
        ...(body.required && { required: true }),
      },
    }),
    responses: Object.fromEntries([
      ...Object.entries(responses).map(([status, type]) => [
        status,
        { description: STATUS_TEXT[Number(status)] ?? '', content: content(produces, type) },
      ]),
      ['401', { description: STATUS_TEXT[401] ?? '' }],
    ]),
    ...(action && { 'x-kubernetes-action': action }),
    ...(kind && { 'x-kubernetes-group-version-kind': kindJson(kind) }),
  };
}

function content(mediaTypes: readonly string[], type: string): JsonObject {
  const schema = type === TEXT ? { type: 'string' } : refV3(type);
  return Object.fromEntries(mediaTypes.toSorted().map((mediaType) => [mediaType, { schema }]));
}

interface Parameter extends JsonObject {
  readonly name: string;
  readonly in: 'path' | 'query';
}

function queryParameter(name: QueryParameter): Parameter {
  return { ...parameter(name, 'query', QUERY_PARAMETERS[name]), description: describeQuery(name) };
}

function parameter(name: string, place: Parameter['in'], type: string): Parameter {
  const required = place === 'path' && { required: true };
  return { name, in: place, ...required, schema: { type, uniqueItems: true } };
}

/** A proxy has two parameters named `path`; the path parameter comes first. */
function byParameterName(left: Parameter, right: Parameter): number {
  return `${left.name} ${left.in}` < `${right.name} ${right.in}` ? -1 : 1;
}
