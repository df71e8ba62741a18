import type { FieldValue, FoundValues, ParsedPath, PathStep } from '../../meta/field-path.ts';
import { indexedTextOf, isTextAt } from '../wire/text-cache.ts';
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  endOfKnown,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
} from './json-grammar.ts';
import { UNREADABLE } from './lazy-fields.ts';
import { LEFT, type ScanMemory, type ScannedPart } from './scan-memory.ts';

/** Thrown for text that is left to the parser. Never leaves this module. */
const unreadable = new Error('unreadable');
// The frames of a stack keep alive what the first import of this module was made for.
unreadable.stack = '';

/** Bytes with JSON that has been validated. */
interface KnownJson {
  readonly bytes: Buffer;
  /** Where the value of the first step ends. */
  readonly end: number;
  /** The memory that the bytes are in, if they can be scanned there. */
  readonly memory?: ScanMemory;
}

/** Returns what a path leads to. Keys with escapes are `UNREADABLE`. It is read in `memory`, if there is one. */
export function readJsonPath(
  first: ScannedPart,
  { steps, isMany, isAscii }: ParsedPath,
  memory: ScanMemory | undefined,
): FoundValues | typeof UNREADABLE {
  if (!isAscii) return UNREADABLE;
  const found: FieldValue[] | undefined = isMany ? [] : undefined;
  const { bytes, start, end } = first;
  const isThere = bytes === memory?.bytes;
  const copy = isThere ? start : (memory?.load(bytes, start, end) ?? LEFT);
  const isCopied = memory !== undefined && copy !== LEFT;
  const json = isCopied ? { bytes: memory.bytes, end: copy + end - start, memory } : { bytes, end };
  try {
    const value = readStep(json, isCopied ? copy : start, steps, 0, found);
    return found ?? value;
  } catch (error) {
    if (error === unreadable) return UNREADABLE;
    throw error;
  }
}

/** Reads on from the value of a step, which begins at `start`. */
function readStep(
  json: KnownJson,
  start: number,
  steps: readonly PathStep[],
  at: number,
  found: FieldValue[] | undefined,
): FieldValue | undefined {
  const { isEach } = steps[at] as PathStep;
  if (isEach) {
    eachItem(json, start, (item) => readValue(json, item, steps, at + 1, found));
    return undefined;
  }
  return readValue(json, start, steps, at + 1, found);
}

/** Reads the step `at` within a value, or the value itself after the last step. */
function readValue(
  json: KnownJson,
  start: number,
  steps: readonly PathStep[],
  at: number,
  found: FieldValue[] | undefined,
): FieldValue | undefined {
  const step = steps[at];
  if (step === undefined) {
    const value = scalarAt(json, start);
    if (found !== undefined && value !== undefined) found.push(value);
    return value;
  }
  if (json.bytes[start] !== OPEN_BRACE) return undefined;
  const member = memberOf(json, start, step.name);
  return member === -1 ? undefined : readStep(json, member, steps, at, found);
}

/** Returns where the value of a member begins; -1 if the object has none. Of duplicates the last counts. */
function memberOf(json: KnownJson, start: number, name: string): number {
  const { bytes, end: limit, memory } = json;
  if (memory !== undefined) {
    const member = memory.member(start, name);
    if (member === LEFT) throw unreadable;
    return member;
  }
  let position = endOfSpace(bytes, start + 1);
  let found = -1;
  while (bytes[position] !== CLOSE_BRACE) {
    if (bytes[position] === COMMA) position = endOfSpace(bytes, position + 1);
    const key = position + 1;
    const end = endOfKey(bytes, key);
    const colon = endOfSpace(bytes, end + 1);
    position = endOfSpace(bytes, colon + 1);
    if (end - key === name.length && isTextAt(bytes, key, name)) {
      found = position;
      // Usually nothing further on is called so, also not in escapes, and the rest need not be looked at.
      const rest = bytes.subarray(position, limit);
      if (!rest.includes(`"${name}"`) && !rest.includes(BACKSLASH)) return found;
    }
    position = endOfSpace(bytes, endOfKnown(bytes, position));
  }
  return found;
}

function eachItem({ bytes }: KnownJson, start: number, visit: (item: number) => void): void {
  if (bytes[start] !== OPEN_BRACKET) return;
  let position = endOfSpace(bytes, start + 1);
  while (bytes[position] !== CLOSE_BRACKET) {
    if (bytes[position] === COMMA) position = endOfSpace(bytes, position + 1);
    visit(position);
    position = endOfSpace(bytes, endOfKnown(bytes, position));
  }
}

function scalarAt({ bytes }: KnownJson, start: number): FieldValue | undefined {
  const first = bytes[start];
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return undefined;
  const end = endOfKnown(bytes, start);
  if (first !== QUOTE) return (parse(bytes, start, end) as FieldValue | null) ?? undefined;
  for (let position = start + 1; position < end; position++) {
    if (bytes[position] !== BACKSLASH) continue;
    return parse(bytes, start, end) as string;
  }
  return indexedTextOf(bytes, start + 1, end - 1);
}

function parse(bytes: Buffer, start: number, end: number): unknown {
  return JSON.parse(bytes.toString('utf8', start, end));
}

/** Returns the position of the closing quote of a key. */
function endOfKey(bytes: Uint8Array, start: number): number {
  for (let position = start; ; position++) {
    const byte = bytes[position];
    if (byte === QUOTE) return position;
    if (byte === BACKSLASH) throw unreadable;
  }
}

function endOfSpace(bytes: Uint8Array, start: number): number {
  let position = start;
  while ((bytes[position] as number) <= SPACE) position++;
  return position;
}
