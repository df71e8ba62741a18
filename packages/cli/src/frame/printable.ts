import type { Output } from './context.ts';

/**
 * What a terminal acts on instead of showing it: control characters (also U+009B, which begins a sequence as
 * ESC does), and characters that are invisible or turn the direction of writing. Joiners stay, since scripts
 * and emoji need them, and so does half a surrogate pair, which no terminal receives.
 */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200C\u200D])\p{Cf}/gu;
const UNSAFE_BUT_LINES = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200C\u200D])\p{Cf}/gu;
/** Those that JSON leaves as they are. */
const UNSAFE_IN_JSON = /[\u007F-\u009F\p{Zl}\p{Zp}]|(?![\u200C\u200D])\p{Cf}/gu;

/**
 * Returns a text as one line that a terminal only shows: `^[` for ESC, `\n` for a line end, `\u202e` for what turns
 * the direction of writing. Everything from a server, a file or an error that is printed for a person goes
 * through this function or through {@link printableLines}.
 */
export function printable(text: string): string {
  return text.replaceAll(UNSAFE, visible);
}

/** Does the same, but leaves line ends and tabs as they are. */
export function printableLines(text: string): string {
  return text.replaceAll(UNSAFE_BUT_LINES, visible);
}

/** True if a text is printed as it is. */
export function isPrintable(text: string): boolean {
  return printable(text) === text;
}

/** Escapes in JSON, or in quoted YAML, what a terminal would act on. The value stays the same. */
export function printableJson(json: string): string {
  return json.replaceAll(UNSAFE_IN_JSON, unicodeEscape);
}

/**
 * Writes text that programs read as well: as it is, unless a terminal shows it.
 */
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

/** As JSON and YAML write it: a character beyond 16 bits is two escapes. */
function unicodeEscape(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const hex = character.charCodeAt(index).toString(16).padStart(4, '0');
    return `\\u${hex}`;
  }).join('');
}
