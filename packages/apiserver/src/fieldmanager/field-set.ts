import { isJsonObject } from 'client-ts/internal';
import type { FieldsV1 } from 'client-ts/meta';
import { sharedValue } from '../store/shared-values.ts';
import { compareElements, parseElement, type PathElement } from './path-element.ts';

/**
 * A set of fields, in the form in which managed fields are stored. At every level a key is a step
 * of a path. Its value is `{}` if the field itself is in the set and nothing below it; otherwise it
 * contains `.` if the field itself is in the set. The root cannot be a member; a `.` there is
 * ignored.
 *
 * Sets are immutable and share their parts: an unchanged entry is never decoded or encoded.
 */
export type FieldSet = Readonly<FieldsV1>;

const self = '.';
type Key = PathElement | typeof self;
const leaf: FieldSet = Object.freeze({});

/** The empty set. */
export const emptySet: FieldSet = leaf;

/** True if the set has no fields. */
export function isEmpty(set: FieldSet): boolean {
  for (const element in set) if (element !== self) return false;
  return true;
}

/**
 * Returns the branch of a set at one step: the field itself if `member`, and its children.
 * Undefined if both are empty, because a set has no empty branches.
 */
export function branch(member: boolean, children: FieldSet): FieldSet | undefined {
  if (isEmpty(children)) return member ? leaf : undefined;
  if (self in children === member) return children;
  if (member) return { [self]: leaf, ...children };
  const { [self]: _, ...others } = children;
  return others;
}

/** True if the field at this step is itself in the set. */
export function isMember(set: FieldSet, element: PathElement): boolean {
  const node = set[element];
  return node !== undefined && isMemberNode(node);
}

/** Returns what the set holds below this step. */
export function below(set: FieldSet, element: PathElement): FieldSet {
  return set[element] ?? emptySet;
}

/** True if the field is in the set. */
export function hasPath(set: FieldSet, path: readonly PathElement[]): boolean {
  let level: FieldSet | undefined = set;
  for (const element of path) {
    level = level[element];
    if (level === undefined) return false;
  }
  return path.length > 0 && isMemberNode(level);
}

/** Returns the set of these paths. */
export function setOf(...paths: readonly (readonly PathElement[])[]): FieldSet {
  return paths
    .map((path) => path.reduceRight((set, element) => ({ [element]: set }), leaf))
    .reduce(union, emptySet);
}

/** Returns the fields that are in either set. */
export function union(left: FieldSet, right: FieldSet): FieldSet {
  if (left === right || isEmpty(right)) return left;
  if (isEmpty(left)) return right;
  const result: FieldsV1 = {};
  for (const element of stepsOf(left)) {
    const [mine, other] = [below(left, element), right[element]];
    result[element] = other === undefined || other === mine ? mine : unionOfNodes(mine, other);
  }
  for (const element of stepsOf(right)) result[element] ??= below(right, element);
  return result;
}

function unionOfNodes(left: FieldSet, right: FieldSet): FieldSet {
  return branch(isMemberNode(left) || isMemberNode(right), union(left, right)) ?? leaf;
}

/** Returns the fields that are in both sets. */
export function intersection(left: FieldSet, right: FieldSet): FieldSet {
  return mapSet(left, (mine, element) => {
    const other = right[element];
    if (other === undefined) return undefined;
    return branch(isMemberNode(mine) && isMemberNode(other), intersection(mine, other));
  });
}

/**
 * Returns the fields of the first set that are not in the second. Children of removed fields stay.
 */
export function difference(left: FieldSet, right: FieldSet): FieldSet {
  if (isEmpty(right)) return left;
  return mapSet(left, (mine, element) => {
    const other = right[element];
    if (other === undefined) return mine;
    return branch(isMemberNode(mine) && !isMemberNode(other), difference(mine, other));
  });
}

/** Like {@link difference}, but removing a field removes its children, too. */
export function recursiveDifference(left: FieldSet, right: FieldSet): FieldSet {
  if (isEmpty(right)) return left;
  return mapSet(left, (mine, element) => {
    const other = right[element];
    if (other === undefined) return mine;
    if (isMemberNode(other)) return undefined;
    return branch(isMemberNode(mine), recursiveDifference(mine, other));
  });
}

/** Returns every path in the set, parents before their children. */
export function* pathsOf(
  set: FieldSet,
  prefix: readonly PathElement[] = [],
): Generator<readonly PathElement[], void, undefined> {
  const elements = stepsOf(set).toSorted(compareElements);
  for (const element of elements) if (isMember(set, element)) yield [...prefix, element];
  for (const element of elements) yield* pathsOf(below(set, element), [...prefix, element]);
}

/**
 * Rebuilds a set with the result of `change` for each branch; undefined removes a branch. Returns
 * the set itself if no branch changes.
 */
export function mapSet(
  set: FieldSet,
  change: (node: FieldSet, element: PathElement) => FieldSet | undefined,
): FieldSet {
  let changed = false;
  const result: FieldsV1 = {};
  for (const element of stepsOf(set)) {
    const node = below(set, element);
    const replacement = change(node, element);
    if (replacement !== undefined) result[element] = replacement;
    if (replacement !== node) changed = true;
  }
  return changed ? result : set;
}

/** Sets that are known to be well-formed or sorted. */
const wellFormed = new WeakSet<FieldSet>();
const sorted = new WeakSet<FieldSet>();

/**
 * Parses a set that may come from a client: normalises steps and drops unknown kinds of steps.
 * Throws a SyntaxError for anything else.
 */
export function parseSet(fields: unknown): FieldSet {
  if (fields === undefined || fields === null) return emptySet;
  if (wellFormed.has(fields as FieldSet)) return fields as FieldSet;
  const parsed = branch(false, parseLevel(fields)) ?? emptySet;
  wellFormed.add(parsed);
  return parsed;
}

function parseLevel(level: unknown): FieldSet {
  if (!isJsonObject(level)) throw new SyntaxError(`expected an object, got ${String(level)}`);
  let changed = false;
  const result: FieldsV1 = {};
  for (const [element, node] of Object.entries(level)) {
    const canonical = element === self ? self : parseElement(element);
    const parsed = element === self ? leaf : parseNode(node);
    if (canonical !== undefined) result[canonical] = parsed;
    changed ||= canonical !== element || (parsed !== node && element !== self);
  }
  return changed ? result : (level as FieldSet);
}

function parseNode(node: unknown): FieldSet {
  if (node === undefined || node === null) return leaf;
  const parsed = parseLevel(node);
  return isEmpty(parsed) && self in parsed ? leaf : parsed;
}

/**
 * Returns the set with its steps in the order in which the server writes them. Equal sets are mostly the
 * same object: what programs write is alike, and a set is a large part of a small object.
 */
export function sortSet(set: FieldSet): FieldSet {
  if (sorted.has(set)) return set;
  const result = sharedValue(sortLevel(set));
  sorted.add(result);
  wellFormed.add(result);
  return result;
}

function sortLevel(level: FieldSet): FieldSet {
  const elements = keysOf(level);
  if (elements.length === 0) return level;
  let changed = false;
  const result: FieldsV1 = {};
  for (const [place, element] of sortElements(elements).entries()) {
    const node = level[element] ?? leaf;
    const child = sortLevel(node);
    result[element] = child;
    changed ||= child !== node || elements[place] !== element;
  }
  return changed ? result : level;
}

/** Fields whose names sort the same in UTF-16 and UTF-8; `.` sorts first in both. */
const plainField = /^(?:\.|f:[^\ud800-\udfff]*)$/;

/** `.` first, then by {@link compareElements}; plain fields take a shortcut. */
function sortElements(elements: readonly Key[]): Key[] {
  if (elements.every((element) => plainField.test(element))) return elements.toSorted();
  return elements.toSorted((left, right) => {
    if (left === self) return -1;
    return right === self ? 1 : compareElements(left, right);
  });
}

function isMemberNode(node: FieldSet): boolean {
  return self in node || isEmpty(node);
}

function stepsOf(set: FieldSet): PathElement[] {
  return keysOf(set).filter((key) => key !== self);
}

/** Sets have no other keys: {@link parseSet} rejects or drops them. */
function keysOf(set: FieldSet): Key[] {
  return Object.keys(set) as Key[];
}
