import { type Doc, hardline, join } from './doc.ts';

/** The width of a comment's text, without its indentation. */
const textWidth = 90;

/**
 * Returns a JSDoc comment of the given lines, followed by a line break, or nothing for an empty text.
 *
 * The text is untrusted: it cannot end the comment early, and control characters are dropped. Line
 * breaks are kept, and long lines are wrapped.
 */
export function docComment(text: string): Doc {
  const lines = cleanLines(text).flatMap(wrap);
  if (lines.length === 0) return [];
  const [only, ...others] = lines;
  if (only !== undefined && others.length === 0) return [`/** ${only} */`, hardline];
  const body = lines.map((content) => (content === '' ? ' *' : ` * ${content}`));
  return [join(hardline, ['/**', ...body, ' */']), hardline];
}

/** Control characters, and those that change the direction of text. They are invisible. */
const invisible = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;

function cleanLines(text: string): string[] {
  const lines = text
    .replaceAll('\t', '  ')
    .split(/\r\n?|[\n\u2028\u2029]/)
    .map((content) => content.replaceAll(invisible, '').trimEnd())
    // Last, so that dropping a character between the two cannot form the mark again.
    .map((content) => content.replaceAll('*/', String.raw`*\/`))
    // The compiler obeys directives in comments.
    .map((content) => content.replaceAll(/@(?=ts-)/g, '@ '));
  const first = lines.findIndex((content) => content !== '');
  const last = lines.findLastIndex((content) => content !== '');
  return first === -1 ? [] : lines.slice(first, last + 1);
}

/** Breaks a line at spaces. Continuation lines keep its indentation, for lists and code. */
function wrap(content: string): string[] {
  const margin = /^ */.exec(content)?.[0] ?? '';
  const lines: string[] = [];
  let current = margin;
  for (const word of content.trimStart().split(' ')) {
    if (current.trim() !== '' && current.length + 1 + word.length > textWidth) {
      lines.push(current.trimEnd());
      current = margin + word;
    } else {
      current += current === margin ? word : ` ${word}`;
    }
  }
  return [...lines, current.trimEnd()];
}
