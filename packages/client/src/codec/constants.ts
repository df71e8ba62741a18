import type { Field } from './message-type.ts';

/** The bytes of a constant, with tag and length, as the value of the field that had it first. */
export interface Constant {
  field: Field | undefined;
  bytes: Uint8Array;
}

const constants = new WeakMap<object, Constant>();
const NO_BYTES = new Uint8Array();

/**
 * Declares that a value, which must be frozen at every depth, never changes. Its protobuf is then made once
 * and kept while the value lives: for servers, whose objects have many parts in common.
 */
export function markConstant(value: object): void {
  if (!constants.has(value)) constants.set(value, { field: undefined, bytes: NO_BYTES });
}

/** Returns what is known of a constant; undefined for other values. */
export function constantOf(value: object): Constant | undefined {
  return constants.get(value);
}
