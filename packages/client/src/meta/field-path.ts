import { OptionError } from '../lib/option-error.ts';

/** A value that a path can lead to. */
export type FieldValue = boolean | number | string;

/**
 * The paths to the strings, numbers and booleans of `T`: `spec.nodeName`. `[*]` stands for every item
 * of a list: `metadata.ownerReferences[*].uid`. A dot in a key is escaped as for kubectl:
 * `metadata.labels.app\.kubernetes\.io/name`. Any string, if the fields of `T` are not known.
 *
 * Editors complete paths of up to five names; deeper fields need an index function.
 */
export type ScalarPath<T> = PathsIn<T, 5>;

/** One less, to bound the recursion of types that contain themselves. */
type Less = [never, 0, 1, 2, 3, 4];

type PathsIn<T, Depth extends number> = {
  [Key in keyof T & string]-?: unknown extends T[Key]
    ? string
    : PathsAt<Key, NonNullable<T[Key]>, Less[Depth]>;
}[keyof T & string];

type PathsAt<Key extends string, Value, Depth extends number> = [Depth] extends [never]
  ? never
  : Value extends FieldValue
    ? Key
    : Value extends readonly (infer Item)[]
      ? PathsInItems<Key, Item, Depth>
      : Value extends object
        ? `${Key}.${PathsIn<Value, Depth>}`
        : never;

type PathsInItems<Key extends string, Item, Depth extends number> = Item extends FieldValue
  ? `${Key}[*]`
  : Item extends object
    ? `${Key}[*].${PathsIn<Item, Depth>}`
    : never;

/** The type of the values that a path leads to. */
export type ValueAt<T, Path> = Path extends `${infer Name}.${infer Rest}`
  ? ValueAt<FieldOf<T, Name>, Rest>
  : Extract<FieldOf<T, Path>, FieldValue>;

type FieldOf<T, Name> = unknown extends T
  ? FieldValue
  : T extends FieldValue
    ? // The rest of a key with dots in it.
      T
    : Name extends `${infer List}[*]`
      ? ItemOf<PropertyOf<T, List>>
      : PropertyOf<T, Name>;

type PropertyOf<T, Name> = Name extends keyof T
  ? unknown extends T[Name]
    ? FieldValue
    : NonNullable<T[Name]>
  : never;

type ItemOf<List> = List extends readonly (infer Item)[] ? NonNullable<Item> : List;

/** One name of a path. */
export interface PathStep {
  readonly name: string;
  /** The value is a list, and the path goes on in each of its items. */
  readonly isEach: boolean;
}

/** A path to a field, parsed. There is one for each text: compare by identity. */
export class ParsedPath {
  readonly text: string;
  readonly steps: readonly PathStep[];
  /** True if the path goes through a list and leads to any number of values. */
  readonly isMany: boolean;
  /** True if every name is as long in bytes as in characters. */
  readonly isAscii: boolean;

  /** Made by {@link parsePath}. */
  constructor(text: string, steps: readonly PathStep[]) {
    this.text = text;
    this.steps = steps;
    this.isMany = steps.some(({ isEach }) => isEach);
    this.isAscii = /^[ -~]*$/.test(text);
  }
}

const parsed = new Map<string, ParsedPath>();

/**
 * Returns the path of a text such as `spec.nodeName`. Throws an `OptionError` for what is not one.
 * Paths are part of a program, so that those ever parsed are kept.
 */
export function parsePath(text: string, option = 'path'): ParsedPath {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  // Splits at dots without a backslash before them.
  const steps = text.split(/(?<!\\)\./).map((word): PathStep => {
    const isEach = word.endsWith('[*]');
    const name = (isEach ? word.slice(0, -'[*]'.length) : word).replaceAll('\\.', '.');
    if (name === '' || /[[\]*]/.test(name)) {
      const message = `${JSON.stringify(text)} is not a path of fields such as "spec.nodeName" or "spec.taints[*].key"`;
      throw new OptionError(option, message);
    }
    return { name, isEach };
  });
  const path = new ParsedPath(text, steps);
  parsed.set(text, path);
  return path;
}

/** Returns true for what a path can lead to. */
export function isFieldValue(value: unknown): value is FieldValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** What a path leads to: one value, several if it goes through a list, or none. */
export type FoundValues = FieldValue | readonly FieldValue[] | undefined;

/**
 * Returns what a path leads to. A field that is absent, null, or not a string, number or boolean has no
 * value.
 */
export function valuesAt(object: unknown, { steps, isMany }: ParsedPath): FoundValues {
  if (isMany) {
    const found: FieldValue[] = [];
    collect(object, steps, 0, found);
    return found;
  }
  let value = object;
  for (const { name } of steps) value = ownField(value, name);
  return isFieldValue(value) ? value : undefined;
}

function collect(
  value: unknown,
  steps: readonly PathStep[],
  position: number,
  found: FieldValue[],
): void {
  const step = steps[position];
  if (step === undefined) {
    if (isFieldValue(value)) found.push(value);
    return;
  }
  const field = ownField(value, step.name);
  if (!step.isEach) collect(field, steps, position + 1, found);
  else if (Array.isArray(field)) {
    for (const item of field) collect(item, steps, position + 1, found);
  }
}

function ownField(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}
