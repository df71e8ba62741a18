import type { JsonValue } from 'client-ts/internal';

import { withSortedKeys } from '../schema/canonical.ts';
import { isInt64 } from './number-rules.ts';

/** What an enum has, in a form that finds a value without comparing it with every choice. */
interface Choices {
  readonly scalars: ReadonlySet<JsonValue>;
  /** The canonical texts of lists and objects. */
  readonly texts: ReadonlySet<string>;
}

const known = new WeakMap<readonly JsonValue[], Choices>();

/** True if an enum has the value. A number is compared as the type of the choice, so 2.5 passes for 2. */
export function isChoice(value: JsonValue, values: readonly JsonValue[]): boolean {
  const { scalars, texts } = choicesOf(values);
  if (typeof value === 'object' && value !== null) return texts.has(textOf(value));
  if (scalars.has(value)) return true;
  if (typeof value !== 'number') return false;
  const whole = Math.trunc(value);
  return isInt64(whole) && scalars.has(whole);
}

function choicesOf(values: readonly JsonValue[]): Choices {
  let choices = known.get(values);
  if (choices === undefined) {
    const composite = values.filter((value) => typeof value === 'object' && value !== null);
    choices = { scalars: new Set(values), texts: new Set(composite.map(textOf)) };
    known.set(values, choices);
  }
  return choices;
}

function textOf(value: JsonValue): string {
  return JSON.stringify(withSortedKeys(value));
}
