import { isJsonObject, type JsonValue, getKey } from 'client-ts/internal';

/** Parses a JSON pointer (RFC 6901): `/a~1b/0` is `['a/b', '0']`. */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Returns the pointer of these steps. */
export function pointerOf(steps: readonly string[]): string {
  return steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Returns the value at a pointer, or undefined. */
export function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const step of pointerSteps(pointer)) {
    if (Array.isArray(value)) value = value[Number(step)];
    else if (isJsonObject(value)) value = getKey(value, step);
    else return undefined;
  }
  return value;
}

/** Returns the string at a pointer, or an empty string. */
export function textAt(root: unknown, pointer: string): string {
  const value = valueAt(root, pointer);
  return typeof value === 'string' ? value : '';
}

/** Returns a copy of `root` with `value` at the steps; the parents must exist. */
export function withValueAt(
  root: JsonValue,
  steps: readonly string[],
  value: JsonValue,
): JsonValue {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (Array.isArray(root)) {
    return root.map((item, index) =>
      index === Number(step) ? withValueAt(item, rest, value) : item,
    );
  }
  if (!isJsonObject(root)) throw new TypeError(`nothing can stand at ${pointerOf(steps)}`);
  return { ...root, [step]: withValueAt(getKey(root, step) ?? null, rest, value) };
}

/** A pattern of pointers: `*` is any one step, `**` any number of steps, including none. */
export type PointerPattern = (steps: readonly string[]) => boolean;

/** Compiles patterns such as `/response/** /metadata/uid` (without the blank). */
export function pointerPattern(pattern: string): PointerPattern {
  const wanted = pointerSteps(pattern);
  const matches = (steps: readonly string[], at: number, want: number): boolean => {
    const step = wanted[want];
    if (step === undefined) return at === steps.length;
    if (step === '**') {
      for (let next = at; next <= steps.length; next++) {
        if (matches(steps, next, want + 1)) return true;
      }
      return false;
    }
    return (
      at < steps.length && (step === '*' || step === steps[at]) && matches(steps, at + 1, want + 1)
    );
  };
  return (steps) => matches(steps, 0, 0);
}
