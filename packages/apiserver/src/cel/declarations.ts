import type { CostRule } from './costs.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  opaque,
  optionalOf,
  parameter,
  STRING,
  TIMESTAMP,
  TYPE,
  type Type,
  typeOfType,
  UINT,
} from './types.ts';
import type { Value } from './values.ts';

/** What an overload does with its arguments; a method gets its target first. */
export type Implementation = (...args: never[]) => Value;

/** One signature of a function. */
export interface Overload {
  readonly name: string;
  readonly isMember: boolean;
  /** The types of the arguments; of a method the first one is that of its target. */
  readonly parameters: readonly Type[];
  readonly result: Type;
  readonly run: (...args: Value[]) => Value;
  /** Undefined for one that costs 1. */
  readonly cost: CostRule | undefined;
}

/** Overloads by the name of their function. */
export type Functions = ReadonlyMap<string, readonly Overload[]>;

/** Types by their name. A struct has no fields: values of libraries have methods only. */
const NAMED: ReadonlyMap<string, Type> = new Map<string, Type>([
  ['bool', BOOL],
  ['bytes', BYTES],
  ['double', DOUBLE],
  ['duration', DURATION],
  ['dyn', DYN],
  ['int', INT],
  ['null', NULL],
  ['string', STRING],
  ['timestamp', TIMESTAMP],
  ['type', TYPE],
  ['uint', UINT],
]);

/** The types that an expression can name, as in `type(x) == int`. */
export const TYPE_NAMES: ReadonlyMap<string, Type> = new Map([
  ...['bool', 'bytes', 'double', 'dyn', 'int', 'string', 'type', 'uint'].map(
    (name) => [name, NAMED.get(name) ?? DYN] as const,
  ),
  ['list', listOf(DYN)],
  ['map', mapOf(DYN, DYN)],
  ['null_type', NULL],
  ['google.protobuf.Duration', DURATION],
  ['google.protobuf.Timestamp', TIMESTAMP],
  ['optional_type', optionalOf(DYN)],
  ['net.IP', opaque('net.IP')],
  ['net.CIDR', opaque('net.CIDR')],
]);

/**
 * Declares an overload by its signature. Single capital letters are types that each call chooses;
 * a method has its target in angle brackets.
 *
 * ```ts
 * overload('<list(A)>.indexOf(A) -> int', (list: CelList, element: Value) => …)
 * ```
 */
export function overload(signature: string, run: Implementation, cost?: CostRule): Overload {
  const { target, name, args, result } = parseSignature(signature);
  return {
    name,
    isMember: target !== undefined,
    parameters: target === undefined ? args : [target, ...args],
    result,
    // The dispatcher has checked the arguments against the parameters.
    run: run as (...given: Value[]) => Value,
    cost,
  };
}

/** Groups overloads by the name of their function, in the order of their declaration. */
export function functionsOf(overloads: Iterable<Overload>): Functions {
  const functions = new Map<string, Overload[]>();
  for (const one of overloads) {
    const known = functions.get(one.name);
    if (known === undefined) functions.set(one.name, [one]);
    else known.push(one);
  }
  return functions;
}

interface Signature {
  readonly target: Type | undefined;
  readonly name: string;
  readonly args: readonly Type[];
  readonly result: Type;
}

function parseSignature(signature: string): Signature {
  const [, target, name = '', args = '', result = ''] =
    /^(?:<(.*)>\.)?([^\s(]+)\((.*)\) -> (.*)$/.exec(signature) ?? [];
  if (name === '') throw new RangeError(`"${signature}" is not a signature`);
  return {
    target: target === undefined ? undefined : parseType(target),
    name,
    args: splitTypes(args).map((part) => parseType(part)),
    result: parseType(result),
  };
}

/** Reads a type such as `map(string, list(A))`. */
export function parseType(text: string): Type {
  const [, name = '', inner] = /^([\w.]+)(?:\((.*)\))?$/.exec(text.trim()) ?? [];
  const parts = inner === undefined ? [] : splitTypes(inner).map((part) => parseType(part));
  const [first = DYN, second = DYN] = parts;
  if (name === 'list') return listOf(first);
  if (name === 'map') return mapOf(first, second);
  if (name === 'optional') return optionalOf(first);
  if (name === 'type' && parts.length > 0) return typeOfType(first);
  if (/^[A-Z]$/.test(name)) return parameter(name);
  const known = NAMED.get(name);
  if (known !== undefined) return known;
  if (name.startsWith('net.')) return opaque(name);
  return { kind: 'struct', name, parameters: [] };
}

/** Splits at the commas that are in no parentheses. */
function splitTypes(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '(') depth++;
    if (text[index] === ')') depth--;
    if (text[index] !== ',' || depth > 0) continue;
    parts.push(text.slice(start, index));
    start = index + 1;
  }
  return text.trim() === '' ? [] : [...parts, text.slice(start)];
}
