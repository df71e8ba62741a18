import { quoteGo } from 'client-ts/internal';
import { type ApiError, newBadRequest } from 'client-ts/meta';

import { kindOf } from '../schema/decode-scalar.ts';
import { JsonSyntaxError } from '../schema/json-parser.ts';
import { parseJson, plainJson } from '../schema/parse-json.ts';

/** The position of a paged list: after a key, in the snapshot of a revision. */
export interface ContinueToken {
  /** Undefined: the client continues inconsistently, with the newest state. */
  readonly revision: number | undefined;
  /** Relative to the prefix of the list: `name` or `namespace/name`. */
  readonly afterKey: string;
}

const VERSION = 'meta.k8s.io/v1';

/** Returns a token, opaque to clients, in the format of a real server. */
export function encodeContinueToken({ revision, afterKey }: ContinueToken): string {
  // The zero byte makes it the smallest key after the last one sent.
  const token = { v: VERSION, rv: revision ?? -1, start: `${afterKey}\u0000` };
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}

/**
 * Parses a token; throws a 400 that says what is wrong with it. A token with a revision above
 * `current` was not issued by this server.
 */
export function decodeContinueToken(text: string, current: number): ContinueToken {
  const { v: version, rv: revision, start } = readFields(decodeBase64(text));
  if (version !== VERSION) {
    throw refused(`server does not recognize this encoded version ${version}`);
  }
  if (revision === 0 || revision > current) {
    throw refused(`incorrect encoded start resourceVersion (version ${VERSION})`);
  }
  if (start === '') throw refused(`encoded start key empty (version ${VERSION})`);
  const key = start.replace(/^\//, '');
  // The key must stay below the prefix of the list.
  const segments = key === '' ? [] : key.split('/');
  if (segments.some((segment) => ['', '.', '..'].includes(segment))) throw refused(start);
  return { revision: revision < 0 ? undefined : revision, afterKey: key.replace(/\u0000$/, '') };
}

function decodeBase64(text: string): string {
  const foreign = text.search(/[^\w-]/);
  // A single trailing digit does not make a byte.
  const position = foreign === -1 && text.length % 4 === 1 ? text.length - 1 : foreign;
  if (position !== -1) throw refused(`illegal base64 data at input byte ${position}`);
  const bytes = Buffer.from(text, 'base64url');
  // Reads single bytes: Go reports a non-ASCII byte, not the whole character.
  const [first = 0] = bytes;
  if (first >= 0x80) {
    const shown = quoteGo(String.fromCodePoint(first)).slice(1, -1);
    throw refused(`invalid character '${shown}' looking for beginning of value`);
  }
  return bytes.toString();
}

function readFields(text: string): { v: string; rv: number; start: string } {
  let token: unknown;
  try {
    token = plainJson(parseJson(text)) ?? {};
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw refused(error.message);
  }
  const kind = kindOf(token as Parameters<typeof kindOf>[0]);
  if (kind !== 'object') throw wrongType(kind, 'value', 'storage.continueToken');
  const fields = token as Readonly<Record<'rv' | 'start' | 'v', unknown>>;
  const v = fields.v ?? '';
  const rv = fields.rv ?? 0;
  const start = fields.start ?? '';
  if (typeof v !== 'string') throw wrongField(v, 'v', 'string');
  if (typeof rv !== 'number') throw wrongField(rv, 'rv', 'int64');
  if (!Number.isSafeInteger(rv)) throw wrongType(`number ${rv}`, RV_FIELD, 'int64');
  if (typeof start !== 'string') throw wrongField(start, 'start', 'string');
  return { v, rv, start };
}

const RV_FIELD = 'struct field continueToken.rv';

function wrongField(value: unknown, name: string, type: string): ApiError {
  const kind = kindOf(value as Parameters<typeof kindOf>[0]);
  return wrongType(kind, `struct field continueToken.${name}`, type);
}

function wrongType(kind: string, place: string, type: string): ApiError {
  return refused(`json: cannot unmarshal ${kind} into Go ${place} of type ${type}`);
}

function refused(detail: string): ApiError {
  return newBadRequest(`invalid continue token: continue key is not valid: ${detail}`);
}
