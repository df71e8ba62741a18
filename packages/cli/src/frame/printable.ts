import type { Output } from './context.ts';

/**
 * What a terminal interprets: control characters (also U+009B, an alternative to ESC), invisible
 * characters and those that change the text direction. Joiners are allowed, because scripts and
 * emoji need them, and lone surrogates, which no terminal receives.
 */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200C\u200D])\p{Cf}/gu;
const UNSAFE_BUT_LINES = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200C\u200D])\p{Cf}/gu;
/** Those that JSON does not escape. */
const UNSAFE_IN_JSON = /[\u007F-\u009F\p{Zl}\p{Zp}]|(?![\u200C\u200D])\p{Cf}/gu;

/**
 * Escapes a text to one line that a terminal only displays: `^[` for ESC, `\n` for a line end,
 * `\u202e` for a change of direction. Everything from a server, a file or an error that is printed
 * for people goes through this function or {@link printableLines}.
 */
export function printable(text: string): string {
  return text.replaceAll(UNSAFE, visible);
}

/** Like {@link printable}, but keeps line ends and tabs. */
export function printableLines(text: string): string {
  return text.replaceAll(UNSAFE_BUT_LINES, visible);
}

/** True if a text needs no escapes. */
export function isPrintable(text: string): boolean {
  return printable(text) === text;
}

/** Escapes in JSON or quoted YAML what a terminal would interpret. The value stays the same. */
export function printableJson(json: string): string {
  return json.replaceAll(UNSAFE_IN_JSON, unicodeEscape);
}

/** Writes text unchanged, or escaped on a terminal. */
export function writeExactly(output: Output, text: string): void {
  output.write(output.isTTY ? printableLines(text) : text);
}

const named: ReadonlyMap<string, string> = new Map([
  ['\n', String.raw`\n`],
  ['\r', String.raw`\r`],
  ['\t', String.raw`\t`],
]);

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const caret = code < 0x20 ? String.fromCodePoint(code + 0x40) : code === 0x7f ? '?' : undefined;
  return named.get(character) ?? (caret === undefined ? unicodeEscape(character) : `^${caret}`);
}

/** As in JSON and YAML: a character beyond 16 bits is two escapes. */
function unicodeEscape(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const hex = character.charCodeAt(index).toString(16).padStart(4, '0');
    return `\\u${hex}`;
  }).join('');
}
