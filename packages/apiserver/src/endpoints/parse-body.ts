import { CodecError, decodeProtobuf, isProtobuf } from 'client-ts/codec';
import {
  ClientError,
  type ClientErrorOptions,
  defineErrors,
  isJsonObject,
} from 'client-ts/internal';
import { type GroupVersionKind, newUnsupportedMediaType } from 'client-ts/meta';
import { type ParsedYaml, parseYamlDocuments, YamlError } from 'client-ts/yaml';

import { kindOf } from '../schema/decode-scalar.ts';
import { type JsonNode, JsonNumber, JsonSyntaxError } from '../schema/json-parser.ts';
import { isPlain, isTooDeep, parseJson, plainJson } from '../schema/parse-json.ts';
import { type Exchange, header } from './exchange.ts';
import { bodyEncoding, type Encoding, MEDIA_TYPE } from './negotiation.ts';

/**
 * A body that does not hold an object or is not valid in its encoding, with the message of a real
 * server.
 */
export class MalformedBodyError extends ClientError {
  constructor(message: string, options?: ClientErrorOptions) {
    super('APISERVER_BODY_MALFORMED', message, options);
  }

  static {
    defineErrors(this, 'MalformedBodyError', 'APISERVER', {
      APISERVER_BODY_MALFORMED: { retry: 'never' },
    });
  }
}

/** Returns the encoding of a request body; throws a 415 if it is not supported here. */
export function requestEncoding(
  { request }: Pick<Exchange, 'request'>,
  encodings: readonly Encoding[],
): Encoding {
  const encoding = bodyEncoding(header(request.headers, 'content-type'), encodings);
  if (encoding !== undefined) return encoding;
  throw newUnsupportedMediaType(encodings.map((known) => MEDIA_TYPE[known]));
}

/** The content of a body. */
export interface ParsedBody {
  readonly node: JsonNode;
  /** YAML: warnings about duplicate keys. JSON reports them when it is decoded. */
  readonly duplicates: readonly string[];
}

/**
 * Parses a body that must be an object or null; throws a {@link MalformedBodyError}. Decoding
 * protobuf requires a kind; `expected` is used for messages without one.
 */
export function parseBody(
  body: Uint8Array,
  encoding: Encoding,
  expected: GroupVersionKind,
): ParsedBody {
  const parsed = PARSERS[encoding](body, expected);
  const kind = kindOf(parsed.node);
  if (kind === 'object') return parsed;
  // A value without fields has no kind.
  throw new MalformedBodyError(
    "couldn't get version/kind; json parse error: json: cannot unmarshal " +
      `${kind} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; ` +
      'Kind string "json:\\"kind,omitempty\\"" }',
  );
}

type Parser = (body: Uint8Array, expected: GroupVersionKind) => ParsedBody;

const PARSERS: Readonly<Record<Encoding, Parser>> = {
  json: (body) => {
    try {
      return { node: parseJson(textOf(body)), duplicates: [] };
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      const message = `couldn't get version/kind; json parse error: ${error.message}`;
      throw new MalformedBodyError(message, { cause: error });
    }
  },
  yaml: (body) => {
    try {
      const { value, duplicates } = parseYaml(textOf(body));
      return { node: value, duplicates };
    } catch (error) {
      if (!(error instanceof YamlError)) throw error;
      throw new MalformedBodyError(error.message, { cause: error });
    }
  },
  protobuf: (body, { group, version, kind }) => {
    if (body.length === 0) throw new MalformedBodyError('empty data');
    if (!isProtobuf(body)) {
      throw new MalformedBodyError(
        'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
      );
    }
    try {
      const node = decodeProtobuf(body, { defaultKind: { group, version, kind } });
      return { node, duplicates: [] };
    } catch (error) {
      if (!(error instanceof CodecError)) throw error;
      throw new MalformedBodyError('unexpected EOF', { cause: error });
    }
  },
};

function textOf(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8');
}

/** Returns the start of a body, for error messages. */
export function summaryOf(body: Uint8Array): string {
  if (body.length === 0) return '<empty>';
  const bytes = Buffer.from(body.subarray(0, SUMMARY_BYTES));
  const shown = body[0] === 0x7b ? bytes.toString('utf8') : bytes.toString('hex');
  return body.length > SUMMARY_BYTES ? `${shown} ...` : shown;
}

const SUMMARY_BYTES = 30;

/** Returns kind and apiVersion of an object; empty where absent or not a string. */
export function typeMetaOf(node: JsonNode): { kind: string; apiVersion: string } {
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

/** Parses the first document of a YAML text like a real server. Throws a `YamlError`. */
export function parseYaml(text: string): ParsedYaml<JsonNumber> {
  return parseAsJson(text) ?? parseExactly(text);
}

/** Most YAML bodies are JSON, which parses much faster. */
function parseAsJson(text: string): ParsedYaml<JsonNumber> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value = parseJson(text);
    return isPlain(value)
      ? { value: value as ParsedYaml<JsonNumber>['value'], duplicates: [] }
      : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

function parseExactly(text: string): ParsedYaml<JsonNumber> {
  const [document] = parseYamlDocuments(text);
  if (document === undefined) return { value: null, duplicates: [] };
  const parsed = document.read({ bigInteger: (value) => new JsonNumber(String(value)) });
  // Aliases can nest deeper than the text.
  if (isTooDeep(parsed.value)) throw new YamlError('yaml: exceeded max depth');
  return parsed;
}
