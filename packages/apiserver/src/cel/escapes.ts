const SIMPLE: ReadonlyMap<string, number> = new Map([
  ['a', 7],
  ['b', 8],
  ['f', 12],
  ['n', 10],
  ['r', 13],
  ['t', 9],
  ['v', 11],
  ['\\', 92],
  ["'", 39],
  ['"', 34],
  ['`', 96],
  ['?', 63],
]);

const ESCAPE =
  /\\(?:x([0-9a-fA-F]{2})|X([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([^]))/g;

/** Returns the text of a string literal; undefined if an escape stands for no character. */
export function unescapeString(literal: string): string | undefined {
  const { body, isRaw } = unquote(literal);
  if (isRaw || !body.includes('\\')) return body;
  let isValid = true;
  const text = body.replace(ESCAPE, (...match: string[]) => {
    const { code } = codeOf(match);
    const isCharacter = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    if (!isCharacter) isValid = false;
    return isCharacter ? String.fromCodePoint(code) : '';
  });
  return isValid ? text : undefined;
}

/** Returns the bytes of a literal without its `b`; undefined for escapes that bytes do not have. */
export function unescapeBytes(literal: string): Uint8Array | undefined {
  const { body, isRaw } = unquote(literal);
  if (isRaw) return new TextEncoder().encode(body);
  const parts: number[] = [];
  let last = 0;
  for (const match of body.matchAll(ESCAPE)) {
    const { code, isUnicode } = codeOf([...match]);
    if (isUnicode) return undefined;
    parts.push(...new TextEncoder().encode(body.slice(last, match.index)), code);
    last = match.index + match[0].length;
  }
  return Uint8Array.from([...parts, ...new TextEncoder().encode(body.slice(last))]);
}

function unquote(literal: string): { readonly body: string; readonly isRaw: boolean } {
  const isRaw = /^[rR]/.test(literal);
  const quoted = isRaw ? literal.slice(1) : literal;
  const width = /^(?:"""|''')/.test(quoted) && quoted.length >= 6 ? 3 : 1;
  return { body: quoted.slice(width, -width).replace(/\r\n?/g, '\n'), isRaw };
}

function codeOf([, x, bigX, u, bigU, octal, simple]: readonly (string | undefined)[]): {
  readonly code: number;
  readonly isUnicode: boolean;
} {
  const byte = x ?? bigX;
  if (byte !== undefined) return { code: Number.parseInt(byte, 16), isUnicode: false };
  const unicode = u ?? bigU;
  if (unicode !== undefined) return { code: Number.parseInt(unicode, 16), isUnicode: true };
  if (octal !== undefined) return { code: Number.parseInt(octal, 8), isUnicode: false };
  return { code: SIMPLE.get(simple ?? '') ?? 0, isUnicode: false };
}
