import type { FieldValue, FoundValues, ParsedPath, PathStep } from '../../meta/field-path.ts';
import { emptyField, type Field, FIELD_CODE, type MessageType } from '../message-type.ts';
import { indexedTextOf, isTextAt } from '../wire/text-cache.ts';
import { FieldScanner, fieldSet, LARGEST_BIT, UNEXPECTED } from '../wire/field-scanner.ts';
import { UNREADABLE } from './lazy-fields.ts';

/** The numbers of the fields of an entry of a map. */
const KEY = 1;
const VALUE = 2;
const KEY_FIELD = fieldSet(KEY);
const VALUE_FIELD = fieldSet(VALUE);

/** Thrown for bytes that are left to the decoder. Never leaves this module. */
const unreadable = new Error('unreadable');
// The frames of a stack keep alive what the first import of this module was made for.
unreadable.stack = '';

/**
 * Returns what a path leads to in a message, which begins at `start`: an index reads `spec.nodeName` of every pod, and decoding
 * `spec` for it costs several times as much. Only what servers write is understood, fields in the
 * order of their numbers; anything else is `UNREADABLE`.
 */
export function readMessagePath(
  bytes: Buffer,
  start: number,
  end: number,
  type: MessageType,
  path: ParsedPath,
): FoundValues | typeof UNREADABLE {
  const numbers = plainNumbers(type, path);
  if (numbers !== undefined) return readPlainPath(bytes, start, end, numbers);
  if (!path.isAscii) return UNREADABLE;
  try {
    const reader = new PathReader(bytes, path);
    const value = reader.message(type, 0, start, end);
    return reader.found ?? value;
  } catch (error) {
    if (error === unreadable) return UNREADABLE;
    throw error;
  } finally {
    for (let depth = 0; depth < scanners.length; depth++) scanners[depth]?.trim();
  }
}

/** The numbers of the fields along paths that {@link readPlainPath} can read; undefined for other paths. */
const numbersOfPaths = new WeakMap<MessageType, Map<ParsedPath, readonly number[] | undefined>>();

/** Returns these numbers, if a path leads through messages to a string that is absent when it is empty. */
function plainNumbers(type: MessageType, path: ParsedPath): readonly number[] | undefined {
  let paths = numbersOfPaths.get(type);
  if (paths === undefined) numbersOfPaths.set(type, (paths = new Map()));
  const known = paths.get(path);
  if (known !== undefined || paths.has(path)) return known;
  const numbers = findPlainNumbers(type, path);
  paths.set(path, numbers);
  return numbers;
}

function findPlainNumbers(type: MessageType, { steps }: ParsedPath): readonly number[] | undefined {
  const numbers: number[] = [];
  let message = type;
  for (const { name, isEach } of steps) {
    const field = message.byName.get(name);
    if (field === undefined || field.repeated || field.map || isEach) return undefined;
    if (field.number > LARGEST_BIT) return undefined;
    numbers.push(field.number);
    const isText = field.code === FIELD_CODE.string && !field.pointer && !field.always;
    if (numbers.length === steps.length) return isText ? numbers : undefined;
    if (field.code !== FIELD_CODE.message || field.type.union !== undefined) return undefined;
    message = field.type;
  }
  return undefined;
}

/** The scanners of the messages along a path. */
const scanners: FieldScanner[] = [];

function scannerAt(depth: number): FieldScanner {
  return (scanners[depth] ??= new FieldScanner());
}

/** Most indices are of such a path: few functions, as it is read for every object of a first list. */
function readPlainPath(
  bytes: Buffer,
  start: number,
  end: number,
  numbers: readonly number[],
): string | undefined | typeof UNREADABLE {
  const scanner = scannerAt(0);
  let from = start;
  let to = end;
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index] as number;
    const fields = scanner.scan(bytes, from, to, 1 << number);
    if (fields === UNEXPECTED) return UNREADABLE;
    if ((fields & (1 << number)) === 0) return undefined;
    from = scanner.starts[number] as number;
    to = scanner.ends[number] as number;
  }
  return from === to ? undefined : indexedTextOf(bytes, from, to);
}

class PathReader {
  /** The values of a path through lists. */
  readonly found: FieldValue[] | undefined;
  readonly #bytes: Buffer;
  readonly #steps: readonly PathStep[];

  constructor(bytes: Buffer, { steps, isMany }: ParsedPath) {
    this.#bytes = bytes;
    this.#steps = steps;
    this.found = isMany ? [] : undefined;
  }

  /** Reads a step in a message. */
  message(type: MessageType, at: number, start: number, end: number): FieldValue | undefined {
    const step = this.#steps[at] as PathStep;
    const field = type.byName.get(step.name);
    // The kind is not on the wire; the fields of inlined structures have no place of their own.
    if (field === undefined) throw unreadable;
    const isList = field.repeated || field.map;
    const scanner = scannerAt(at);
    const fields = scanner.scan(this.#bytes, start, end, 0, field.tag);
    const { ranges, rangesLength } = scanner;
    if (fields === UNEXPECTED || (!isList && rangesLength > 2)) throw unreadable;
    let value: FieldValue | undefined;
    for (let index = 0; index < rangesLength; index += 2) {
      value = this.#field(field, at, ranges[index] as number, ranges[index + 1] as number) ?? value;
    }
    const isPresent = rangesLength > 0;
    if (!isPresent && field.always) value = this.#absent(field, at);
    const isLast = at === this.#steps.length - 1;
    if (isLast && !step.isEach && value !== undefined) this.found?.push(value);
    return value;
  }

  #field(field: Field, at: number, start: number, end: number): FieldValue | undefined {
    if (field.map) return this.#entry(field, at, start, end);
    const { isEach } = this.#steps[at] as PathStep;
    if (field.repeated !== isEach) throw unreadable;
    if (at < this.#steps.length - 1) {
      if (field.code !== FIELD_CODE.message || field.type.union !== undefined) throw unreadable;
      return this.message(field.type, at + 1, start, end);
    }
    const value = this.#scalar(field, start, end);
    if (isEach) this.found?.push(value);
    const isZero = value === '' || value === 0 || value === false;
    return isZero && !field.pointer && !field.always ? undefined : value;
  }

  /** Reads an entry of a map of strings; undefined for other keys. */
  #entry(field: Field, at: number, start: number, end: number): FieldValue | undefined {
    const { name, isEach } = this.#steps[at + 1] ?? { name: '', isEach: true };
    const isLast = at + 1 === this.#steps.length - 1;
    const isOfStrings = field.code === FIELD_CODE.string;
    if (!isOfStrings || isEach || !isLast || this.found !== undefined) throw unreadable;
    const scanner = scannerAt(at + 1);
    const fields = scanner.scan(this.#bytes, start, end, KEY_FIELD | VALUE_FIELD);
    if (fields === UNEXPECTED || (fields & KEY_FIELD) === 0) throw unreadable;
    const { starts, ends } = scanner;
    const keyStart = starts[KEY] as number;
    const keyLength = (ends[KEY] as number) - keyStart;
    const isWanted = keyLength === name.length && isTextAt(this.#bytes, keyStart, name);
    if (!isWanted) return undefined;
    if ((fields & VALUE_FIELD) === 0) return '';
    return indexedTextOf(this.#bytes, starts[VALUE] as number, ends[VALUE] as number);
  }

  #scalar({ code }: Field, start: number, end: number): FieldValue {
    switch (code) {
      case FIELD_CODE.string:
        return indexedTextOf(this.#bytes, start, end);
      case FIELD_CODE.bool:
        return this.#number(start, end) !== 0;
      case FIELD_CODE.int32:
      case FIELD_CODE.int64:
        return this.#number(start, end);
      default:
        throw unreadable;
    }
  }

  /** The value of a field that is always present in JSON. */
  #absent(field: Field, at: number): FieldValue | undefined {
    const isLast = at === this.#steps.length - 1;
    if (!isLast || field.map || field.repeated) throw unreadable;
    const value = emptyField(field);
    return typeof value === 'object' ? undefined : value;
  }

  /** Larger numbers, and those below zero, are left to the decoder. */
  #number(start: number, end: number): number {
    if (end - start > 4) throw unreadable;
    let value = 0;
    for (let at = end - 1; at >= start; at--) {
      value = (value << 7) | ((this.#bytes[at] as number) & 0x7f);
    }
    return value;
  }
}
