import { ClientError, defineErrors, toGoJson } from 'client-ts/internal';
import {
  type ApiError,
  apiVersionOf,
  type GroupVersionKind,
  newBadRequest,
  parseApiVersion,
} from 'client-ts/meta';
import { type CustomKind, decodeCustomResource } from '../crd/decode-custom.ts';
import type { ApiObject } from '../registry/object.ts';
import { decodeTyped, DecodeError, strictDecodingError } from '../schema/decode.ts';
import type { JsonNode } from '../schema/json-parser.ts';
import type { Model } from '../schema/model.ts';
import { plainJson } from '../schema/parse-json.ts';
import type { Schema } from '../schema/schema.ts';
import { findFloats } from '../schema/written-floats.ts';
import type { ResourceExchange } from './exchange.ts';
import type { Encoding } from './negotiation.ts';
import {
  MalformedBodyError,
  type ParsedBody,
  parseBody,
  requestEncoding,
  summaryOf,
  typeMetaOf,
} from './parse-body.ts';
import type { FieldValidation } from './write-options.ts';

/** The expected kind of a request body, and how to decode it. */
export interface BodyType extends GroupVersionKind {
  readonly schema: Schema;
  /** Set for custom resources, which are decoded by the schema of their CRD. */
  readonly custom?: CustomKind;
  /** Older versions of the same shape that are accepted, too. */
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
  const encoding = requestEncoding(exchange, encodings);
  const body = await exchange.request.body();
  const { node, duplicates } = parseOrRefuse(body, encoding, type);
  if (type.custom !== undefined) {
    checkCustomType(node, body, type);
    exchange.floats.push(...findFloats(node));
  }
  const { object, findings } = decodeOrRefuse(node, type, exchange.core.catalog.model);
  // Protobuf has no field names that could be wrong.
  if (encoding !== 'protobuf') {
    const isStrict = fieldValidation === 'Strict';
    const repeated = isStrict ? strictYamlError(duplicates) : duplicates;
    report(exchange, [...repeated, ...findings], fieldValidation, (message) =>
      cannotBeHandled(object, type, message),
    );
  }
  if (type.custom !== undefined) checkCustomVersion(object, type);
  return object;
}

function parseOrRefuse(body: Uint8Array, encoding: Encoding, type: BodyType): ParsedBody {
  try {
    return parseBody(body, encoding, type);
  } catch (error) {
    if (!(error instanceof MalformedBodyError)) throw error;
    throw newBadRequest(
      `the object provided is unrecognized (must be of type ${type.kind}): ` +
        `${error.message} (${summaryOf(body)})`,
    );
  }
}

function decodeOrRefuse(
  node: JsonNode,
  type: BodyType,
  model: Model,
): ReturnType<typeof decodeObject> {
  try {
    return decodeObject(node, type, model);
  } catch (error) {
    throw error instanceof UnreadableObjectError ? error.cause : error;
  }
}

/** Formats duplicate YAML keys as one error; empty without duplicates. */
export function strictYamlError(duplicates: readonly string[]): string[] {
  if (duplicates.length === 0) return [];
  return [['yaml: unmarshal errors:', ...duplicates].join('\n  ')];
}

/** Adds warnings about unknown and duplicate fields, or throws, depending on `fieldValidation`. */
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

/** A body that cannot be decoded as its type. Becomes a 400, or a 422 in patches. */
export class UnreadableObjectError extends ClientError {
  readonly detail: string;

  constructor(detail: string, response: ApiError) {
    super('APISERVER_OBJECT_INVALID', response.message, { cause: response });
    this.detail = detail;
  }

  static {
    defineErrors(this, 'UnreadableObjectError', 'APISERVER', {
      APISERVER_OBJECT_INVALID: { retry: 'never' },
    });
  }
}

/** Decodes a parsed body as its type; throws {@link UnreadableObjectError}. */
export function decodeObject(
  node: JsonNode,
  type: BodyType,
  model: Model,
): { object: ApiObject; findings: readonly string[] } {
  if (type.custom !== undefined) return decodeCustom(node, type, type.custom);
  const given = typeMetaOf(node);
  const actual = {
    ...parseApiVersion(given.apiVersion === '' ? apiVersionOf(type) : given.apiVersion),
    kind: given.kind === '' ? type.kind : given.kind,
  };
  checkKind(actual, type, model);
  try {
    const { object, findings } = decodeTyped(type.schema, node);
    const { kind: _kind, apiVersion: _apiVersion, ...rest } = object;
    const whole = { kind: type.kind, apiVersion: apiVersionOf(type), ...rest } as ApiObject;
    whole.metadata ??= {};
    // An empty list here is a request to drop all managed fields.
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

/** Unlike for built-in kinds, bodies of custom resources must have kind and apiVersion. */
function checkCustomType(node: JsonNode, body: Uint8Array, type: BodyType): void {
  const { kind } = typeMetaOf(node);
  if (kind !== '') return;
  throw newBadRequest(
    `the object provided is unrecognized (must be of type ${type.kind}): ` +
      `Object 'Kind' is missing in '${toGoJson(plainJson(node))}' (${summaryOf(body)})`,
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

function checkKind(actual: GroupVersionKind, type: BodyType, model: Model): void {
  const isVersion =
    actual.version === type.version || (type.alsoVersions ?? []).includes(actual.version);
  const sameGroup = actual.group === type.group && isVersion;
  if (sameGroup && actual.kind === type.kind) return;
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
