import { type Doc, hardline, join } from './doc.ts';

/** Columns that a comment's own text may take, whatever its indentation. */
const textWidth = 90;

/**
 * A JSDoc comment of the given lines, followed by a line break; nothing if there are none.
 *
 * The text may come from anywhere: it cannot end the comment early, and control characters are
 * dropped. Lines are kept, and wrapped where they are long.
 */
export function docComment(text: string): Doc {
  const lines = cleanLines(text).flatMap(wrap);
  if (lines.length === 0) return [];
  const [only, ...others] = lines;
  if (only !== undefined && others.length === 0) return [`/** ${only} */`, hardline];
  const body = lines.map((content) => (content === '' ? ' *' : ` * ${content}`));
  return [join(hardline, ['/**', ...body, ' */']), hardline];
}

/** Control characters, and those that turn the direction of text: a reader would not see them. */
const invisible = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;

function cleanLines(text: string): string[] {
  const lines = text
    .replaceAll('\t', '  ')
    .split(/\r\n?|[\n\u2028\u2029]/)
    .map((content) => content.replaceAll(invisible, '').trimEnd())
    // Last, so that nothing that is dropped can bring the two characters together again.
    .map((content) => content.replaceAll('*/', String.raw`*\/`))
    // The compiler obeys directives in comments.
    .map((content) => content.replaceAll(/@(?=ts-)/g, '@ '));
  const first = lines.findIndex((content) => content !== '');
  const last = lines.findLastIndex((content) => content !== '');
  return first === -1 ? [] : lines.slice(first, last + 1);
}

/** Breaks a line at spaces; continuation lines keep the indentation, as lists and code have it. */
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
