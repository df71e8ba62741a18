/** White space as Go has it, and what follows it. */
const piece = /(?<space>[^\S\u00A0\uFEFF]*)(?<word>[\S\u00A0\uFEFF]*)/gu;

/**
 * Breaks lines at white space so that they have at most `limit` characters, at the places where
 * kubectl breaks them. A longer word stays in one piece.
 */
export function wrap(text: string, limit: number): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, limit))
    .join('\n');
}

function wrapLine(line: string, limit: number): string {
  let wrapped = '';
  let column = 0;
  for (const { groups: { space = '', word = '' } = {} } of line.matchAll(piece)) {
    const before = column + space.length;
    const after = before + Array.from(word).length;
    if (after <= limit || (word !== '' && before < 2)) {
      wrapped += space + word;
      column = after;
    } else if (word !== '') {
      wrapped += `\n${word}`;
      column = after - before;
    }
  }
  return wrapped;
}

/** Prefixes every line, also empty ones. */
export function indent(text: string, amount: number): string {
  const margin = ' '.repeat(amount);
  return margin + text.replaceAll('\n', `\n${margin}`);
}
