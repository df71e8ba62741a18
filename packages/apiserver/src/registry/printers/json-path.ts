import { getKey, isJsonObject, type JsonValue } from 'client-ts/internal';
import {
  JsonPathError,
  parseJsonPath,
  type PathNode,
  type SliceBounds,
} from './json-path-parser.ts';

/** What a path has found, or a number that stands in the path itself. */
type Found = JsonValue | FloatLiteral;

/** `1.0` in a path is not the integer 1 of the data, and the two cannot be compared. */
class FloatLiteral {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/**
 * Makes a function that finds the first value a path leads to, in the dialect of Kubernetes:
 * undefined if it leads nowhere, or asks for something that the data cannot answer, such as the
 * third of two items. Throws {@link JsonPathError} for a text that is no path.
 */
export function compileJsonPath(path: string): (root: JsonValue) => JsonValue | undefined {
  const nodes = parseJsonPath(path);
  return (root) => {
    try {
      const [first] = walk(nodes, [root]);
      return first instanceof FloatLiteral ? first.value : first;
    } catch (error) {
      if (error instanceof JsonPathError) return undefined;
      throw error;
    }
  };
}

function walk(nodes: readonly PathNode[], input: readonly Found[]): readonly Found[] {
  return nodes.reduce((values, node) => step(node, values), input);
}

function step(node: PathNode, input: readonly Found[]): readonly Found[] {
  switch (node.type) {
    case 'field':
      return input.flatMap((value) =>
        isJsonObject(value) && Object.hasOwn(value, node.name)
          ? [getKey(value, node.name) as Found]
          : [],
      );
    case 'wildcard':
      return input.flatMap(childrenOf);
    case 'recursive':
      return input.flatMap(descend);
    case 'slice':
      return sliceAll(input, node.bounds);
    case 'union':
      return node.branches.flatMap((branch) => walk(branch, input));
    case 'filter':
      return input.flatMap((value) => filterItems(value, node));
    case 'literal':
      return [node.value];
    case 'number':
      return input.map(() => (node.isFloat ? new FloatLiteral(node.value) : node.value));
    case 'word':
      throw new JsonPathError(`${node.name} leads nowhere`);
  }
}

/** The values in an object, a list or a text; those of an object in the order of their keys. */
function childrenOf(value: Found): Found[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return [...Buffer.from(value)];
  if (!isJsonObject(value)) return [];
  return Object.keys(value)
    .toSorted()
    .map((key) => value[key] as Found);
}

/** A value with everything below it that has something below it. */
function descend(value: Found): Found[] {
  const children = childrenOf(value);
  return children.length === 0 ? [] : [value, ...children.flatMap(descend)];
}

function sliceAll(input: readonly Found[], bounds: SliceBounds): readonly Found[] {
  const found: Found[] = [];
  for (const value of input) {
    if (value === null) continue;
    const items = slice(listOf(value), bounds);
    // An empty range ends the search, also in the lists that would follow.
    if (items === undefined) return found;
    found.push(...items);
  }
  return found;
}

function slice(list: readonly JsonValue[], bounds: SliceBounds): readonly JsonValue[] | undefined {
  const { length } = list;
  const { isIndex, step: stride = 1 } = bounds;
  const written = bounds.start ?? 0;
  const start = written < 0 ? written + length : written;
  const writtenEnd = isIndex ? written + 1 : (bounds.end ?? length);
  const isFromEnd = writtenEnd < 0 || (writtenEnd === 0 && isIndex);
  const end = isFromEnd ? writtenEnd + length : writtenEnd;
  if (start === end) return undefined;
  const isInside = start >= 0 && start < length && end <= length && start < end;
  if (!isInside || stride <= 0) throw new JsonPathError('outside of the list');
  return list.slice(start, end).filter((_, index) => index % stride === 0);
}

function filterItems(value: Found, node: Extract<PathNode, { type: 'filter' }>): Found[] {
  return listOf(value).filter((item) => {
    if (node.operator === undefined) return exists(node.left, item);
    const left = onlyOne(walk(node.left, [item]));
    if (left === undefined) return false;
    const right = onlyOne(walk(node.right, [item]));
    return right !== undefined && compare(left, node.operator, right);
  });
}

/** Whether a path leads somewhere; one that cannot be followed is given the benefit of the doubt. */
function exists(path: readonly PathNode[], item: Found): boolean {
  try {
    return walk(path, [item]).length > 0;
  } catch (error) {
    if (error instanceof JsonPathError) return true;
    throw error;
  }
}

function onlyOne(values: readonly Found[]): Found | undefined {
  if (values.length > 1) throw new JsonPathError('more than one value to compare');
  return values[0];
}

function listOf(value: Found): readonly JsonValue[] {
  if (!Array.isArray(value)) throw new JsonPathError('not a list');
  return value;
}

function compare(left: Found, operator: string, right: Found): boolean {
  const kind = kindOf(left);
  if (kind !== kindOf(right)) throw new JsonPathError('values of different kinds');
  const [a, b] = [plain(left), plain(right)];
  if (operator === '==') return a === b;
  if (operator === '!=') return a !== b;
  if (kind === 'boolean') throw new JsonPathError('booleans have no order');
  switch (operator) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
    default:
      throw new JsonPathError(`${operator} is no comparison`);
  }
}

function kindOf(value: Found): string {
  if (value instanceof FloatLiteral) return 'float';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'float';
  if (typeof value === 'boolean' || typeof value === 'string') return typeof value;
  throw new JsonPathError('neither a list nor an object can be compared');
}

function plain(value: Found): boolean | number | string {
  return value instanceof FloatLiteral ? value.value : (value as boolean | number | string);
}
