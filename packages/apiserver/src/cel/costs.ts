import type { Expression } from './expression.ts';
import type { Type } from './types.ts';
import { Optional, sizeOf, type Value } from './values.ts';

/** The largest number of 64 bits: more is not counted. */
export const UNBOUNDED: bigint = 2n ** 64n - 1n;

/** The least and the most that a size or a cost can be. */
export interface Range {
  readonly min: bigint;
  readonly max: bigint;
}

export const UNKNOWN: Range = { min: 0n, max: UNBOUNDED };
export const TRAVERSAL = 0.1;
export const REGEX = 0.25;

/** A range of one number. */
export function exactly(count: bigint | number): Range {
  const value = BigInt(count);
  return { min: value, max: value };
}

const capped = (value: bigint): bigint => (value > UNBOUNDED ? UNBOUNDED : value);

export function plus(left: Range, right: Range): Range {
  return { min: capped(left.min + right.min), max: capped(left.max + right.max) };
}

export function times(left: Range, right: Range): Range {
  return { min: capped(left.min * right.min), max: capped(left.max * right.max) };
}

/** Multiplies by a fraction and rounds up. */
export function scaled(range: Range, factor: number): Range {
  return { min: scaleOne(range.min, factor), max: scaleOne(range.max, factor) };
}

function scaleOne(value: bigint, factor: number): bigint {
  const product = Math.ceil(Number(value) * factor);
  return product >= 2 ** 64 ? UNBOUNDED : BigInt(product);
}

/** The range that covers both. */
export function union(left: Range, right: Range): Range {
  return {
    min: left.min < right.min ? left.min : right.min,
    max: left.max > right.max ? left.max : right.max,
  };
}

/** What the estimator knows about an argument. */
export interface Argument {
  readonly type: Type;
  readonly expression: Expression;
  /** How large it can be; undefined if nothing is known. */
  readonly size: Range | undefined;
  /** How large the elements of a list can be; undefined for what is no list. */
  readonly elementSize: () => Range | undefined;
}

/** A call before it is made. */
export interface EstimatedCall {
  readonly isMember: boolean;
  /** A method's target is the first one. */
  readonly args: readonly Argument[];
  /** The size of an argument, from nothing to everything if it is unknown. */
  readonly size: (index: number) => Range;
}

/** What a call can cost, without its arguments, and how large its result can be. */
export interface CallEstimate {
  readonly cost: Range;
  readonly resultSize?: Range | undefined;
}

/** What calls of a function cost: counted when they are made, estimated before. */
export interface CostRule {
  readonly count: (args: readonly Value[], result: Value) => number;
  readonly estimate: (call: EstimatedCall) => CallEstimate | undefined;
  /**
   * Whether it holds if only the values of the arguments show which overload is called. Default
   * false, as for the functions of the language itself.
   */
  readonly isForAll?: boolean;
}

/** The size that counting takes: 1 for what has none. */
export function countedSize(value: Value | undefined): number {
  if (value === undefined) return 1;
  if (value instanceof Optional && value.value !== undefined) return countedSize(value.value);
  return sizeOf(value) ?? 1;
}

/** Declares a rule of a Kubernetes library, which goes by the name of the function. */
export function rule(
  count: (args: readonly Value[], result: Value) => number,
  estimate: (call: EstimatedCall) => CallEstimate | undefined,
): CostRule {
  return { count, estimate, isForAll: true };
}

/** The same cost for each call. */
export function fixed(cost: number): CostRule {
  const estimate = { cost: exactly(cost) };
  return rule(
    () => cost,
    () => estimate,
  );
}

export const ONE: CostRule = fixed(1);

/** Reads an argument from end to end, `passes` times. */
export function reads(
  index = 0,
  { passes = 1, isResult = false }: { readonly passes?: number; readonly isResult?: boolean } = {},
): CostRule {
  const factor = passes * TRAVERSAL;
  return rule(
    (args) => Math.ceil(countedSize(args[index]) * factor),
    ({ size }) => ({
      cost: scaled(size(index), factor),
      resultSize: isResult ? size(index) : undefined,
    }),
  );
}

/** Runs a pattern, the second argument, on a text. */
export function matchesPattern(isResult: boolean): CostRule {
  return rule(
    ([text, pattern]) =>
      Math.ceil((1 + countedSize(text)) * TRAVERSAL) * Math.ceil(countedSize(pattern) * REGEX),
    ({ size }) => ({
      cost: times(scaled(plus(size(0), exactly(1)), TRAVERSAL), scaled(size(1), REGEX)),
      resultSize: isResult ? { min: 0n, max: size(0).max } : undefined,
    }),
  );
}
