import type { FieldValue, FoundValues, ParsedPath, PathStep } from '../../meta/field-path.ts';
import { emptyField, type Field, FIELD_CODE, type MessageType } from '../message-type.ts';
import { indexedTextOf, isTextAt } from '../wire/text-cache.ts';
import { END_OF_MESSAGE, FieldScanner, UNEXPECTED } from '../wire/field-scanner.ts';
import { bytesTag } from '../wire/wire-reader.ts';
import { UNREADABLE } from './lazy-fields.ts';

/** The numbers of the fields of an entry of a map. */
const KEY = 1;
const VALUE = 2;

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
  const tags = plainTags(type, path);
  if (tags !== undefined) return readPlainPath(new FieldScanner(bytes, start, end), bytes, tags);
  if (!path.isAscii) return UNREADABLE;
  try {
    const reader = new PathReader(bytes, path);
    const value = reader.message(type, 0, start, end);
    return reader.found ?? value;
  } catch (error) {
    if (error === unreadable) return UNREADABLE;
    throw error;
  }
}

/** The tags of paths that {@link readPlainPath} can read; undefined for other paths. */
const tagsOfPaths = new WeakMap<MessageType, Map<ParsedPath, readonly number[] | undefined>>();

/** Returns the tags along a path, if it leads through messages to a string that is absent when it is empty. */
function plainTags(type: MessageType, path: ParsedPath): readonly number[] | undefined {
  let paths = tagsOfPaths.get(type);
  if (paths === undefined) tagsOfPaths.set(type, (paths = new Map()));
  const known = paths.get(path);
  if (known !== undefined || paths.has(path)) return known;
  const tags = findPlainTags(type, path);
  paths.set(path, tags);
  return tags;
}

function findPlainTags(type: MessageType, { steps }: ParsedPath): readonly number[] | undefined {
  const tags: number[] = [];
  let message = type;
  for (const { name, isEach } of steps) {
    const field = message.byName.get(name);
    if (field === undefined || field.repeated || field.map || isEach) return undefined;
    tags.push(field.tag);
    const isText = field.code === FIELD_CODE.string && !field.pointer && !field.always;
    if (tags.length === steps.length) return isText ? tags : undefined;
    if (field.code !== FIELD_CODE.message || field.type.union !== undefined) return undefined;
    message = field.type;
  }
  return undefined;
}

/** Most indices are of such a path: few functions, as it is read for every object of a first list. */
function readPlainPath(
  scanner: FieldScanner,
  bytes: Buffer,
  tags: readonly number[],
): string | undefined | typeof UNREADABLE {
  for (let index = 0; index < tags.length; index++) {
    const tag = tags[index] as number;
    const found = scanner.enter(tag >>> 3);
    if (found === 0) return undefined;
    if (found !== tag) return UNREADABLE;
  }
  const { start, end } = scanner;
  return start === end ? undefined : indexedTextOf(bytes, start, end);
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
    const { number, tag } = field;
    const isList = field.repeated || field.map;
    const scanner = new FieldScanner(this.#bytes, start, end);
    let isPresent = false;
    let value: FieldValue | undefined;
    let found = scanner.seek(number);
    while (found === tag) {
      isPresent = true;
      value = this.#field(field, at, scanner) ?? value;
      found = isList ? scanner.seek(number) : 0;
    }
    if (found !== 0 || scanner.seek(END_OF_MESSAGE) === UNEXPECTED) throw unreadable;
    if (!isPresent && field.always) value = this.#absent(field, at);
    const isLast = at === this.#steps.length - 1;
    if (isLast && !step.isEach && value !== undefined) this.found?.push(value);
    return value;
  }

  #field(field: Field, at: number, values: FieldScanner): FieldValue | undefined {
    if (field.map) return this.#entry(field, at, values);
    const { isEach } = this.#steps[at] as PathStep;
    if (field.repeated !== isEach) throw unreadable;
    if (at < this.#steps.length - 1) {
      if (field.code !== FIELD_CODE.message || field.type.union !== undefined) throw unreadable;
      return this.message(field.type, at + 1, values.start, values.end);
    }
    const value = this.#scalar(field, values);
    if (isEach) this.found?.push(value);
    const isZero = value === '' || value === 0 || value === false;
    return isZero && !field.pointer && !field.always ? undefined : value;
  }

  /** Reads an entry of a map of strings; undefined for other keys. */
  #entry(field: Field, at: number, entry: FieldScanner): FieldValue | undefined {
    const { name, isEach } = this.#steps[at + 1] ?? { name: '', isEach: true };
    const isLast = at + 1 === this.#steps.length - 1;
    const isOfStrings = field.code === FIELD_CODE.string;
    if (!isOfStrings || isEach || !isLast || this.found !== undefined) throw unreadable;
    const scanner = new FieldScanner(this.#bytes, entry.start, entry.end);
    if (scanner.seek(KEY) !== bytesTag(KEY)) throw unreadable;
    const { start, end } = scanner;
    const isWanted = end - start === name.length && isTextAt(this.#bytes, start, name);
    const found = scanner.seek(VALUE);
    if (found !== 0 && found !== bytesTag(VALUE)) throw unreadable;
    const value = isWanted && found !== 0 ? this.#text(scanner) : '';
    if (scanner.seek(END_OF_MESSAGE) === UNEXPECTED) throw unreadable;
    return isWanted ? value : undefined;
  }

  #scalar({ code }: Field, values: FieldScanner): FieldValue {
    switch (code) {
      case FIELD_CODE.string:
        return this.#text(values);
      case FIELD_CODE.bool:
        return this.#number(values) !== 0;
      case FIELD_CODE.int32:
      case FIELD_CODE.int64:
        return this.#number(values);
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

  #text({ start, end }: FieldScanner): string {
    return indexedTextOf(this.#bytes, start, end);
  }

  /** Larger numbers, and those below zero, are left to the decoder. */
  #number({ start, end }: FieldScanner): number {
    if (end - start > 4) throw unreadable;
    let value = 0;
    for (let at = end - 1; at >= start; at--) {
      value = (value << 7) | ((this.#bytes[at] as number) & 0x7f);
    }
    return value;
  }
}
