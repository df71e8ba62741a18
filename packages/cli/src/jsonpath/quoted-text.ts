import { getKey } from 'client-ts/internal';
const named: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};

const escape = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{3})|(.))|(.)/gsuy;

/**
 * The text of a string in single or double quotes, with the escapes of Go. Only the quote that is
 * around it can be escaped. Undefined if it is not a string.
 */
export function quotedText(written: string): string | undefined {
  const quote = written[0];
  const inside = written.slice(1, -1);
  if (!inside.includes('\\')) return inside;
  let text = '';
  let end = 0;
  for (const match of inside.matchAll(escape)) {
    const [all, two, four, eight, octal, short, plain] = match;
    end = match.index + all.length;
    const hex = two ?? four ?? eight;
    const point = hex === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(hex, 16);
    if (plain !== undefined) {
      text += plain;
    } else if (short === undefined) {
      if (point > 0x10_ffff) return undefined;
      text += String.fromCodePoint(point);
    } else {
      const character = short === quote ? short : getKey(named, short);
      if (character === undefined) return undefined;
      text += character;
    }
  }
  return end === inside.length ? text : undefined;
}
