import { newBadRequest } from 'client-ts/meta';

/** Where a paged list goes on: after `startKey`, in the snapshot of `revision`. */
export interface ContinueToken {
  /** Undefined: the client gave up consistency and takes the newest state. */
  readonly revision: number | undefined;
  /** Relative to the prefix of the list: `name` or `namespace/name`. */
  readonly afterKey: string;
}

const VERSION = 'meta.k8s.io/v1';

/** The server's token: opaque to clients, but with the shape that a real one has. */
export function encodeContinueToken({ revision, afterKey }: ContinueToken): string {
  const token = { v: VERSION, rv: revision ?? -1, start: `${afterKey}\u0000` };
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}

/** Reads a token; throws a 400 that tells what is wrong with it. */
export function decodeContinueToken(text: string): ContinueToken {
  const bytes = Buffer.from(text, 'base64url').toString('latin1');
  let token: { v?: unknown; rv?: unknown; start?: unknown };
  try {
    token = JSON.parse(bytes) as typeof token;
  } catch {
    const first = bytes.codePointAt(0) ?? 0;
    const shown =
      first < 0x20 || first > 0x7e
        ? `\\u${first.toString(16).padStart(4, '0')}`
        : String.fromCodePoint(first);
    throw invalid(`invalid character '${shown}' looking for beginning of value`);
  }
  const { v: version, rv, start } = token;
  if (version !== VERSION) {
    throw invalid(`server does not recognize this encoded version ${String(version)}`);
  }
  if (typeof rv !== 'number' || rv === 0) {
    throw invalid(`incorrect encoded start resourceVersion (version ${VERSION})`);
  }
  if (typeof start !== 'string' || start === '') {
    throw invalid(`encoded start key empty (version ${VERSION})`);
  }
  if (start.split('/').includes('..')) throw invalid(start);
  return {
    revision: rv < 0 ? undefined : rv,
    // The zero byte makes it the smallest key after the last one that was sent.
    afterKey: start.replace(/^\//, '').replace(/\u0000$/, ''),
  };
}

function invalid(detail: string): Error {
  return newBadRequest(`invalid continue token: continue key is not valid: ${detail}`);
}
