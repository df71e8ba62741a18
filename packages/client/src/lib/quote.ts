const named: ReadonlyMap<string, string> = new Map([
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['"', '\\"'],
  ['\\', '\\\\'],
]);

const toEscape = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/**
 * Quotes a string as Go's `%q` does, which is how API servers quote names and values in messages:
 * printable characters of any script stay, the rest is escaped in Go's notation (`\x00`, `\u200b`).
 */
export function quoteGo(text: string): string {
  return `"${text.replace(toEscape, escapeCharacter)}"`;
}

function escapeCharacter(character: string): string {
  const short = named.get(character);
  if (short !== undefined) return short;
  const point = character.codePointAt(0) ?? 0;
  // A lone surrogate is no character: it cannot travel in UTF-8, and Go would read it as U+FFFD.
  if (point >= 0xd800 && point <= 0xdfff) return '\ufffd';
  if (point < 0x20 || point === 0x7f) return `\\x${hex(point, 2)}`;
  return point > 0xffff ? `\\U${hex(point, 8)}` : `\\u${hex(point, 4)}`;
}

function hex(point: number, digits: number): string {
  return point.toString(16).padStart(digits, '0');
}
