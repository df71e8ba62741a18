/** Bytes in base64, or the place of the first character that cannot be there. */
export interface Base64Reading {
  readonly text: string;
  readonly illegalAt?: number;
}

const usual = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Reads standard base64 the way Go's decoder does: line breaks are skipped, padding is needed, and
 * what follows it is refused. Gives the same bytes in their one canonical spelling.
 */
export function canonicalBase64(input: string): Base64Reading {
  if (input.length % 4 === 0 && usual.test(input)) return { text: respell(input) };
  let text = '';
  for (let index = 0; index < input.length; index++) {
    const character = input[index] ?? '';
    if (character === '\n' || character === '\r') continue;
    if (/^[A-Za-z0-9+/]$/.test(character)) {
      text += character;
      continue;
    }
    return character === '=' ? readPadding(input, index, text) : { text: '', illegalAt: index };
  }
  if (text.length % 4 === 0) return { text };
  return { text: '', illegalAt: input.length - (text.length % 4) };
}

/** Reads from the first `=` to the end. */
function readPadding(input: string, start: number, text: string): Base64Reading {
  const place = text.length % 4;
  if (place < 2) return { text: '', illegalAt: start };
  let end = start + 1;
  const skipLineBreaks = (): void => {
    while (input[end] === '\n' || input[end] === '\r') end++;
  };
  skipLineBreaks();
  if (place === 2) {
    if (end === input.length) return { text: '', illegalAt: input.length };
    if (input[end] !== '=') return { text: '', illegalAt: end - 1 };
    end++;
    skipLineBreaks();
  }
  if (end < input.length) return { text: '', illegalAt: end };
  return { text: respell(`${text}${'='.repeat(4 - place)}`) };
}

/** Unused bits of the last character may be anything in the input. */
function respell(text: string): string {
  return text.endsWith('=') ? Buffer.from(text, 'base64').toString('base64') : text;
}
