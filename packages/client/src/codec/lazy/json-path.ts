import type { FieldValue, FoundValues, ParsedPath, PathStep } from '../../meta/field-path.ts';
import { textIn } from '../wire/text-cache.ts';
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
} from './json-grammar.ts';
import { UNREADABLE } from './lazy-fields.ts';

/** Thrown for text that is left to the parser. Never leaves this module. */
const unreadable = new Error('unreadable');
// The frames of a stack keep alive what the first import of this module was made for.
unreadable.stack = '';

/**
 * Returns what a path leads to in JSON that has been validated and is kept as a Latin-1 string of its
 * UTF-8. `start` is where the value of the first step begins. Keys with escapes are `UNREADABLE`.
 */
export function readJsonPath(
  text: string,
  start: number,
  { steps, isMany, isAscii }: ParsedPath,
): FoundValues | typeof UNREADABLE {
  if (!isAscii) return UNREADABLE;
  const found: FieldValue[] | undefined = isMany ? [] : undefined;
  try {
    const value = readStep(text, start, steps, 0, found);
    return found ?? value;
  } catch (error) {
    if (error === unreadable) return UNREADABLE;
    throw error;
  }
}

/** Reads on from the value of a step, which begins at `start`. */
function readStep(
  text: string,
  start: number,
  steps: readonly PathStep[],
  at: number,
  found: FieldValue[] | undefined,
): FieldValue | undefined {
  const { isEach } = steps[at] as PathStep;
  if (isEach) {
    eachItem(text, start, (item) => readValue(text, item, steps, at + 1, found));
    return undefined;
  }
  return readValue(text, start, steps, at + 1, found);
}

/** Reads the step `at` within a value, or the value itself after the last step. */
function readValue(
  text: string,
  start: number,
  steps: readonly PathStep[],
  at: number,
  found: FieldValue[] | undefined,
): FieldValue | undefined {
  const step = steps[at];
  if (step === undefined) {
    const value = scalarAt(text, start);
    if (found !== undefined && value !== undefined) found.push(value);
    return value;
  }
  if (text.charCodeAt(start) !== OPEN_BRACE) return undefined;
  const member = memberOf(text, start, step.name);
  return member === -1 ? undefined : readStep(text, member, steps, at, found);
}

/** Returns where the value of a member begins; -1 if the object has none. Of duplicates the last counts. */
function memberOf(text: string, start: number, name: string): number {
  let position = endOfSpace(text, start + 1);
  let found = -1;
  while (text.charCodeAt(position) !== CLOSE_BRACE) {
    if (text.charCodeAt(position) === COMMA) position = endOfSpace(text, position + 1);
    const key = position + 1;
    const end = endOfKey(text, key);
    const colon = endOfSpace(text, end + 1);
    position = endOfSpace(text, colon + 1);
    if (end - key === name.length && text.startsWith(name, key)) {
      found = position;
      // Usually nothing further on is called so, and the rest need not be looked at.
      if (!text.includes(`"${name}"`, position)) return found;
    }
    position = endOfSpace(text, endOfValue(text, position));
  }
  return found;
}

function eachItem(text: string, start: number, visit: (item: number) => void): void {
  if (text.charCodeAt(start) !== OPEN_BRACKET) return;
  let position = endOfSpace(text, start + 1);
  while (text.charCodeAt(position) !== CLOSE_BRACKET) {
    if (text.charCodeAt(position) === COMMA) position = endOfSpace(text, position + 1);
    visit(position);
    position = endOfSpace(text, endOfValue(text, position));
  }
}

function scalarAt(text: string, start: number): FieldValue | undefined {
  const first = text.charCodeAt(start);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return undefined;
  const end = endOfValue(text, start);
  if (first !== QUOTE)
    return (JSON.parse(text.slice(start, end)) as FieldValue | null) ?? undefined;
  for (let position = start + 1; position < end; position++) {
    if (text.charCodeAt(position) !== BACKSLASH) continue;
    return JSON.parse(Buffer.from(text.slice(start, end), 'latin1').toString('utf8')) as string;
  }
  return textIn(text, start + 1, end - 1);
}

/** Returns the position of the closing quote of a key. */
function endOfKey(text: string, start: number): number {
  for (let position = start; ; position++) {
    const code = text.charCodeAt(position);
    if (code === QUOTE) return position;
    if (code === BACKSLASH) throw unreadable;
  }
}

/** Returns the position after a value. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  let position = start;
  for (;;) {
    const code = text.charCodeAt(position++);
    if (code === QUOTE) {
      position = endOfString(text, position);
      if (depth === 0) return position;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      // Of a word, the bracket is that of the object or list around it.
      if (depth === 0) return position - 1;
      if (--depth === 0) return position;
    } else if (depth === 0 && (code === COMMA || code <= SPACE)) return position - 1;
  }
}

/** Returns the position after the closing quote of a string. */
function endOfString(text: string, start: number): number {
  for (let position = start; ; position++) {
    const code = text.charCodeAt(position);
    if (code === QUOTE) return position + 1;
    if (code === BACKSLASH) position++;
  }
}

function endOfSpace(text: string, start: number): number {
  let position = start;
  while (text.charCodeAt(position) <= SPACE) position++;
  return position;
}
