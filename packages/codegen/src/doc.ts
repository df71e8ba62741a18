/**
 * A small pretty-printer after Wadler: a document says where lines may break, and the printer breaks
 * the outermost groups that do not fit. Its output is what the repository's formatter writes, so that
 * users need no formatter for generated code.
 */
export type Doc = string | readonly Doc[] | GroupDoc | IndentDoc | LineDoc | ChoiceDoc;

interface GroupDoc {
  readonly kind: 'group';
  readonly content: Doc;
}

interface IndentDoc {
  readonly kind: 'indent';
  readonly content: Doc;
}

interface LineDoc {
  readonly kind: 'line';
  /** The text if the group stays on one line. A hard line has none and always breaks. */
  readonly flat?: string;
}

interface ChoiceDoc {
  readonly kind: 'choice';
  readonly broken: string;
  readonly flat: string;
}

/** A line break, or a space when the group fits on one line. */
export const line: Doc = { kind: 'line', flat: ' ' };

/** A line break, or nothing when the group fits on one line. */
export const softline: Doc = { kind: 'line', flat: '' };

/** A line break that also breaks the groups around it. */
export const hardline: Doc = { kind: 'line' };

/** Content that stays on one line if it fits, or else breaks at all of its own lines. */
export function group(...content: Doc[]): Doc {
  return { kind: 'group', content };
}

/** Content whose line breaks are indented by one more step. */
export function indent(...content: Doc[]): Doc {
  return { kind: 'indent', content };
}

/** One text if the group around it is broken, another if it is not. */
export function ifBroken(broken: string, flat = ''): Doc {
  return { kind: 'choice', broken, flat };
}

/** Joins documents with a separator. */
export function join(separator: Doc, docs: readonly Doc[]): Doc {
  return docs.flatMap((doc, index) => (index === 0 ? [doc] : [separator, doc]));
}

/** A bracketed, comma-separated list: on one line, or one item per line with a trailing comma. */
export function bracketed(open: string, items: readonly Doc[], close: string, padding = ''): Doc {
  if (items.length === 0) return open + close;
  const edge: Doc = { kind: 'line', flat: padding };
  return group(open, indent(edge, join([',', line], items)), ifBroken(','), edge, close);
}

interface Command {
  readonly depth: number;
  readonly broken: boolean;
  readonly doc: Doc;
}

/** Prints a document in lines of at most `width` columns where its groups allow it. */
export function print(doc: Doc, width = 100): string {
  let output = '';
  let column = 0;
  /** Indentation is written with the first text of a line, so that empty lines have none. */
  let margin = '';
  const write = (text: string): void => {
    if (text === '') return;
    output += margin + text;
    margin = '';
    column += text.length;
  };
  const commands: Command[] = [{ depth: 0, broken: true, doc }];
  for (let command = commands.pop(); command !== undefined; command = commands.pop()) {
    const { depth, broken, doc } = command;
    if (typeof doc === 'string') write(doc);
    else if (isList(doc)) {
      for (const part of doc.toReversed()) commands.push({ depth, broken, doc: part });
    } else if (doc.kind === 'indent') {
      commands.push({ depth: depth + 1, broken, doc: doc.content });
    } else if (doc.kind === 'choice') write(broken ? doc.broken : doc.flat);
    else if (doc.kind === 'group') {
      const flat = { depth, broken: false, doc: doc.content };
      const breaks = hasHardline(doc.content) || !fits(flat, commands, width - column);
      commands.push({ ...flat, broken: breaks });
    } else if (!broken && doc.flat !== undefined) write(doc.flat);
    else {
      output += '\n';
      margin = '  '.repeat(depth);
      column = margin.length;
    }
  }
  return output;
}

/** Whether `next`, and what follows it up to the next possible break, fits into `room` columns. */
function fits(next: Command, following: readonly Command[], room: number): boolean {
  let left = room;
  let rest = following.length;
  const commands: Command[] = [next];
  while (left >= 0) {
    const command = commands.pop() ?? following[--rest];
    if (command === undefined) return true;
    const { depth, broken, doc } = command;
    if (typeof doc === 'string') left -= doc.length;
    else if (isList(doc)) {
      for (const part of doc.toReversed()) commands.push({ depth, broken, doc: part });
    } else if (doc.kind === 'choice') left -= (broken ? doc.broken : doc.flat).length;
    else if (doc.kind === 'line') {
      if (broken || doc.flat === undefined) return true;
      left -= doc.flat.length;
    } else commands.push({ depth, broken: broken && doc.kind !== 'group', doc: doc.content });
  }
  return false;
}

function hasHardline(doc: Doc): boolean {
  if (typeof doc === 'string') return false;
  if (isList(doc)) return doc.some((part) => hasHardline(part));
  if (doc.kind === 'line') return doc.flat === undefined;
  return doc.kind !== 'choice' && hasHardline(doc.content);
}

function isList(doc: Doc): doc is readonly Doc[] {
  return Array.isArray(doc);
}
