/**
 * What only one of the two syntaxes has, or what means something else in the other: flags, named
 * groups, look-around, classes by name, `\S` in a class, back references, `\Q…\E`, anchors by letter.
 */
const NOT_SHARED = /\(\?(?!:)|\[:|\[[^\]]*\\S|\\[\dACGPQZakpz]/;

/** What Go's regexp package does not have. Linear time excludes it. */
const NOT_IN_GO = /\(\?<?[!=]|\\[1-9k]/;

const SPACE = String.raw`\t\n\f\r `;

/** Returns the pattern without its escaped backslashes, which would hide the start of an escape. */
function withoutBackslashes(pattern: string): string {
  return pattern.replaceAll('\\\\', '');
}

/** True if a pattern uses look-around or back references, which no API server accepts. */
export function needsBacktracking(pattern: string): boolean {
  return NOT_IN_GO.test(withoutBackslashes(pattern));
}

const compiled = new Map<string, RegExp | undefined>();

/**
 * Returns a pattern in the syntax of Go's regexp package as a JavaScript expression, or undefined
 * if it uses something that JavaScript does not have in the same sense: such a pattern is left to
 * the server.
 */
export function jsPattern(pattern: string): RegExp | undefined {
  if (!compiled.has(pattern)) compiled.set(pattern, compile(pattern));
  return compiled.get(pattern);
}

function compile(pattern: string): RegExp | undefined {
  if (NOT_SHARED.test(withoutBackslashes(pattern))) return undefined;
  try {
    return new RegExp(translate(pattern), 'u');
  } catch {
    return undefined;
  }
}

/** Translates what is written differently: `.`, `\s`, `\S`, escaped punctuation, brackets in classes. */
function translate(pattern: string): string {
  let inClass = false;
  let source = '';
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    if (character === '\\') {
      source += translateEscape(pattern.charAt(++at), inClass);
    } else if (inClass) {
      source += character === '[' ? String.raw`\[` : character;
      inClass = character !== ']';
    } else if (character === '[') {
      const [opening = '', negation = '', bracket = ''] =
        /^\[(\^?)(\]?)/.exec(pattern.slice(at)) ?? [];
      source += `[${negation}${bracket === '' ? '' : String.raw`\]`}`;
      at += opening.length - 1;
      inClass = true;
    } else {
      source += character === '.' ? String.raw`[^\n]` : character;
    }
  }
  return source;
}

function translateEscape(escaped: string, inClass: boolean): string {
  if (escaped === 's') return inClass ? SPACE : `[${SPACE}]`;
  if (escaped === 'S') return `[^${SPACE}]`;
  // JavaScript escapes only characters that have a meaning, and in a class the dash.
  const isSyntax = /[$()*+./?[\\\]^{|}]/.test(escaped) || (inClass && escaped === '-');
  return /[!-/:-@[-`{-~]/.test(escaped) && !isSyntax ? escaped : `\\${escaped}`;
}
