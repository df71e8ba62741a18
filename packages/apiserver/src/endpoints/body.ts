import { CodecError, decodeProtobuf, isProtobuf } from 'client-ts/codec';
import { isJsonObject, type JsonObject } from 'client-ts/lib';
import {
  type ApiError,
  apiVersionOf,
  type DeleteOptions,
  type GroupVersionKind,
  newBadRequest,
  newUnsupportedMediaType,
  parseApiVersion,
} from 'client-ts/meta';
import { type CustomKind, decodeCustomResource } from '../crd/decode-custom.ts';
import { toGoJson } from '../patch/go-format.ts';
import type { ApiObject } from '../registry/object.ts';
import { decodeTyped, DecodeError, strictDecodingError } from '../schema/decode.ts';
import { JsonSyntaxError, type JsonNode } from '../schema/json-parser.ts';
import { loadModel } from '../schema/model.ts';
import { parseJson, plainJson } from '../schema/parse-json.ts';
import type { Schema } from '../schema/schema.ts';
import { header, type ResourceExchange } from './exchange.ts';
import { bodyEncoding, type Encoding, MEDIA_TYPE } from './negotiation.ts';
import type { FieldValidation } from './write-options.ts';
import { parseYaml, YamlError } from './yaml.ts';

/** The kind that a request body is expected to have, and how to read it. */
export interface BodyType extends GroupVersionKind {
  readonly schema: Schema;
  /** Set for custom resources, which their CRD's schema reads. */
  readonly custom?: CustomKind;
  /** Older versions of the same shape that are accepted as well. */
  readonly alsoVersions?: readonly string[];
}

/** Reads the object of a create or update, with the errors and warnings of a real server. */
export async function readObject(
  exchange: ResourceExchange,
  type: BodyType,
  fieldValidation: FieldValidation,
): Promise<ApiObject> {
  const encodings: readonly Encoding[] =
    type.custom === undefined ? ['json', 'yaml', 'protobuf'] : ['json', 'yaml'];
  const encoding = bodyEncoding(header(exchange.request.headers, 'content-type'), encodings);
  if (encoding === undefined) {
    throw newUnsupportedMediaType(encodings.map((known) => MEDIA_TYPE[known]));
  }
  const body = await exchange.request.body();
  const node = parseBody(body, encoding, type.kind);
  checkIsObject(node, body, type.kind);
  if (type.custom !== undefined) checkCustomType(node, body, type);
  const { object, findings } = decodeOrRefuse(node, type);
  // Protobuf has no names to be wrong.
  if (encoding !== 'protobuf') {
    report(exchange, findings, fieldValidation, (message) =>
      cannotBeHandled(object, type, message),
    );
  }
  if (type.custom !== undefined) checkCustomVersion(object, type);
  return object;
}

function decodeOrRefuse(node: JsonNode, type: BodyType): ReturnType<typeof decodeObject> {
  try {
    return decodeObject(node, type);
  } catch (error) {
    throw error instanceof UnreadableObjectError ? error.cause : error;
  }
}

/** Warns of unknown and duplicate fields, or refuses them, as the request wants it. */
export function report(
  { warnings }: Pick<ResourceExchange, 'warnings'>,
  findings: readonly string[],
  fieldValidation: FieldValidation,
  refuse: (message: string) => Error,
): void {
  if (findings.length === 0 || fieldValidation === 'Ignore') return;
  if (fieldValidation === 'Strict') throw refuse(strictDecodingError(findings));
  warnings.push(...findings);
}

/** An object that is not of the type. As it is, a 400; patches make a 422 of the detail. */
export class UnreadableObjectError extends Error {
  override readonly name = 'UnreadableObjectError';
  readonly detail: string;

  constructor(detail: string, response: ApiError) {
    super(response.message, { cause: response });
    this.detail = detail;
  }
}

/** Turns what was parsed into an object of the type; throws {@link UnreadableObjectError}. */
export function decodeObject(
  node: JsonNode,
  type: BodyType,
): { object: ApiObject; findings: readonly string[] } {
  if (type.custom !== undefined) return decodeCustom(node, type, type.custom);
  const given = typeMetaOf(node);
  const actual = {
    ...parseApiVersion(given.apiVersion === '' ? apiVersionOf(type) : given.apiVersion),
    kind: given.kind === '' ? type.kind : given.kind,
  };
  checkKind(actual, type);
  try {
    const { object, findings } = decodeTyped(type.schema, node);
    const { kind: _kind, apiVersion: _apiVersion, ...rest } = object as JsonObject;
    const whole = { kind: type.kind, apiVersion: apiVersionOf(type), ...rest } as ApiObject;
    whole.metadata ??= {};
    // An empty list here is a wish, not nothing: managed fields are to be forgotten.
    if (sendsNoManagers(node)) whole.metadata.managedFields = [];
    return { object: whole, findings };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw unreadable(actual, type, error.message);
  }
}

function decodeCustom(
  node: JsonNode,
  type: BodyType,
  custom: CustomKind,
): { object: ApiObject; findings: readonly string[] } {
  const actual = typeMetaOf(node);
  try {
    const { object, findings } = decodeCustomResource(node, custom);
    const whole = object as ApiObject;
    whole.metadata ??= {};
    if (sendsNoManagers(node)) whole.metadata.managedFields = [];
    return { object: whole, findings };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw unreadable(actual, type, error.message);
  }
}

/** Bodies of custom resources have to say what they are, unlike those of built-in kinds. */
function checkCustomType(node: JsonNode, body: Uint8Array, type: BodyType): void {
  const { kind } = typeMetaOf(node);
  if (kind !== '') return;
  throw newBadRequest(
    `the object provided is unrecognized (must be of type ${type.kind}): ` +
      `Object 'Kind' is missing in '${toGoJson(plainJson(node))}' (${summary(body)})`,
  );
}

function checkCustomVersion({ apiVersion = '' }: ApiObject, type: BodyType): void {
  if (apiVersion === apiVersionOf(type)) return;
  throw newBadRequest(
    `the API version in the data (${apiVersion}) does not match the expected API version ` +
      `(${apiVersionOf(type)})`,
  );
}

function sendsNoManagers(node: JsonNode): boolean {
  const metadata = (node as { metadata?: { managedFields?: unknown } } | null)?.metadata;
  const managedFields = metadata?.managedFields;
  return Array.isArray(managedFields) && managedFields.length === 0;
}

/** The options in the body of a DELETE; undefined if there is no body. */
export async function readDeleteOptions(
  exchange: ResourceExchange,
): Promise<DeleteOptions | undefined> {
  const body = await exchange.request.body();
  if (body.length === 0) return undefined;
  const encodings: readonly Encoding[] = ['json', 'yaml', 'protobuf'];
  const encoding = bodyEncoding(header(exchange.request.headers, 'content-type'), encodings);
  if (encoding === undefined) {
    throw newUnsupportedMediaType(encodings.map((known) => MEDIA_TYPE[known]));
  }
  let node: JsonNode;
  try {
    node = parse(body, encoding);
  } catch (error) {
    throw newBadRequest(parseMessage(error));
  }
  const { kind, apiVersion } = typeMetaOf(node);
  if (kind !== '' && kind !== 'DeleteOptions') {
    throw newBadRequest(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} ` +
        'in scheme "pkg/apis/meta/internalversion/scheme/register.go:27"',
    );
  }
  const schema = loadModel().schemaById(DELETE_OPTIONS) as Schema;
  try {
    return decodeTyped(schema, node).object as DeleteOptions;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw newBadRequest(error.message);
  }
}

const DELETE_OPTIONS = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions';

function parseBody(body: Uint8Array, encoding: Encoding, kind: string): JsonNode {
  try {
    return parse(body, encoding);
  } catch (error) {
    const message = parseMessage(error);
    throw newBadRequest(
      `the object provided is unrecognized (must be of type ${kind}): ${message} (${summary(body)})`,
    );
  }
}

/** What has no fields cannot say of what kind it is. Null is taken for an empty object. */
function checkIsObject(node: JsonNode, body: Uint8Array, kind: string): void {
  const plain = node === null || typeof node !== 'object' || Array.isArray(node) ? node : {};
  if (plain === null || isJsonObject(plain)) return;
  const found = Array.isArray(plain) ? 'array' : typeof plain === 'boolean' ? 'bool' : typeof plain;
  throw newBadRequest(
    `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; ` +
      `json parse error: json: cannot unmarshal ${found} into Go value of type struct { APIVersion ` +
      'string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } ' +
      `(${summary(body)})`,
  );
}

function parse(body: Uint8Array, encoding: Encoding): JsonNode {
  switch (encoding) {
    case 'json':
      return parseJson(Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8'));
    case 'yaml':
      return parseYaml(Buffer.from(body).toString('utf8')).value as JsonNode;
    case 'protobuf':
      return parseProtobuf(body);
  }
}

/** A protobuf body that cannot be read; the message is the server's own. */
class ProtobufBodyError extends Error {
  override readonly name = 'ProtobufBodyError';
}

function parseProtobuf(body: Uint8Array): JsonNode {
  if (body.length === 0) throw new ProtobufBodyError('empty data');
  if (!isProtobuf(body)) {
    throw new ProtobufBodyError(
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    );
  }
  try {
    return decodeProtobuf(body) as JsonNode;
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    throw new ProtobufBodyError('unexpected EOF', { cause: error });
  }
}

/** What is wrong with a body, in the words of the server; rethrows what is no fault of the body. */
function parseMessage(error: unknown): string {
  if (error instanceof JsonSyntaxError) {
    return `couldn't get version/kind; json parse error: ${error.message}`;
  }
  if (error instanceof YamlError || error instanceof ProtobufBodyError) return error.message;
  throw error;
}

const SUMMARY_BYTES = 30;

/** The start of a body, so that its sender can recognise it. */
function summary(body: Uint8Array): string {
  if (body.length === 0) return '<empty>';
  const bytes = Buffer.from(body.subarray(0, SUMMARY_BYTES));
  const shown = body[0] === 0x7b ? bytes.toString('utf8') : bytes.toString('hex');
  return body.length > SUMMARY_BYTES ? `${shown} ...` : shown;
}

function typeMetaOf(node: JsonNode): { kind: string; apiVersion: string } {
  if (Array.isArray(node) || typeof node === 'string' || typeof node === 'number') {
    return { kind: '', apiVersion: '' };
  }
  const plain = plainJson(node);
  if (!isJsonObject(plain)) return { kind: '', apiVersion: '' };
  const { kind, apiVersion } = plain;
  return {
    kind: typeof kind === 'string' ? kind : '',
    apiVersion: typeof apiVersion === 'string' ? apiVersion : '',
  };
}

function checkKind(actual: GroupVersionKind, type: BodyType): void {
  const isVersion =
    actual.version === type.version || (type.alsoVersions ?? []).includes(actual.version);
  const sameGroup = actual.group === type.group && isVersion;
  if (sameGroup && actual.kind === type.kind) return;
  const model = loadModel();
  if (model.schemaFor(actual) === undefined) {
    throw unreadable(
      actual,
      type,
      `no kind ${JSON.stringify(actual.kind)} is registered for version ` +
        `${JSON.stringify(apiVersionOf(actual))} in scheme "pkg/api/legacyscheme/scheme.go:30"`,
    );
  }
  const internal = `${type.group === '' ? 'core' : (type.group.split('.')[0] ?? '')}.${type.kind}`;
  throw unreadable(
    actual,
    type,
    `converting (${actual.version}.${actual.kind}) to (${internal}): unknown conversion`,
  );
}

interface ActualKind {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly version?: string;
}

function unreadable(actual: ActualKind, type: BodyType, detail: string): UnreadableObjectError {
  return new UnreadableObjectError(detail, cannotBeHandled(actual, type, detail));
}

function cannotBeHandled(actual: ActualKind, type: BodyType, detail: string): ApiError {
  const version = actual.version ?? parseApiVersion(actual.apiVersion ?? '').version;
  return newBadRequest(
    `${actual.kind ?? ''} in version ${JSON.stringify(version)} cannot be handled as a ` +
      `${type.kind}: ${detail}`,
  );
}
