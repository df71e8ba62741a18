import { checkedTimestamp } from './library/time.ts';
import { DURATION, INT, TIMESTAMP, type Type } from './types.ts';
import { Duration, type Value } from './values.ts';

/** A type whose values an expression can make, as in `Object{spec: Object.spec{}}`. */
export interface StructType {
  readonly type: Type;
  /** Returns the type of a field; undefined if there is none. */
  readonly fieldType: (name: string) => Type | undefined;
  /** Makes a value of the fields that are set. */
  readonly create: (fields: ReadonlyMap<string, Value>) => Value;
}

/** Finds the type of a literal by its name. */
export type FindStruct = (name: string) => StructType | undefined;

const MAX_DURATION = 2n ** 63n - 1n;

const PARTS: ReadonlyMap<string, Type> = new Map([
  ['seconds', INT],
  ['nanos', INT],
]);

/** Returns the nanoseconds of a message that has seconds and nanoseconds. */
function nanosOf(fields: ReadonlyMap<string, Value>): bigint {
  const part = (name: string): bigint => {
    const value = fields.get(name);
    return typeof value === 'bigint' ? value : 0n;
  };
  return part('seconds') * 1_000_000_000n + part('nanos');
}

function clamp(nanos: bigint): bigint {
  if (nanos > MAX_DURATION) return MAX_DURATION;
  return nanos < -MAX_DURATION - 1n ? -MAX_DURATION - 1n : nanos;
}

const MESSAGES: ReadonlyMap<string, StructType> = new Map([
  [
    DURATION.name,
    {
      type: DURATION,
      fieldType: (name) => PARTS.get(name),
      create: (fields) => new Duration(clamp(nanosOf(fields))),
    },
  ],
  [
    TIMESTAMP.name,
    {
      type: TIMESTAMP,
      fieldType: (name) => PARTS.get(name),
      create: (fields) => checkedTimestamp(nanosOf(fields)),
    },
  ],
]);

/** Finds the messages of the language itself: durations and times. */
export const findMessage: FindStruct = (name) => MESSAGES.get(name);
