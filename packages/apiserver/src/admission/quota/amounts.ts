// Upstream: staging/src/k8s.io/apiserver/pkg/quota/v1/resources.go
import { parseQuantity, type Quantity, type QuantityValue } from 'client-ts/meta';

/** Amounts of resources, by name. */
export type Amounts = ReadonlyMap<string, QuantityValue>;

/** The amount of one object. */
export const ONE: QuantityValue = parseQuantity('1');
export const ZERO: QuantityValue = parseQuantity('0');

/** Parses the amounts of an object. */
export function parseAmounts(list: Readonly<Record<string, Quantity>> | undefined): Amounts {
  return new Map(
    Object.entries(list ?? {}).map(([name, amount]) => [name, parseQuantity(amount)] as const),
  );
}

/** Returns amounts as an object has them, sorted by name. */
export function writeAmounts(amounts: Amounts): Record<string, string> {
  return Object.fromEntries(sorted(amounts).map(([name, amount]) => [name, amount.toString()]));
}

/** Returns amounts as messages show them: `cpu=1,pods=2`. */
export function formatAmounts(amounts: Amounts): string {
  return sorted(amounts)
    .map(([name, amount]) => `${name}=${amount.toString()}`)
    .join(',');
}

function sorted(amounts: Amounts): [string, QuantityValue][] {
  return [...amounts].toSorted(([left], [right]) => (left < right ? -1 : 1));
}

/** Returns the sums. Keeps the notation of `left`. */
export function addAmounts(left: Amounts, right: Amounts): Amounts {
  const sums = new Map(left);
  for (const [name, amount] of right) sums.set(name, sums.get(name)?.add(amount) ?? amount);
  return sums;
}

/** Returns what `left` has more than `right`, without amounts that are not positive. */
export function increaseOf(left: Amounts, right: Amounts): Amounts {
  const increase = new Map<string, QuantityValue>();
  for (const [name, amount] of left) {
    const before = right.get(name);
    const difference = before === undefined ? amount : amount.sub(before);
    if (difference.sign > 0) increase.set(name, difference);
  }
  return increase;
}

/** Returns the amounts of some resources. */
export function maskAmounts(amounts: Amounts, has: (name: string) => boolean): Amounts {
  return new Map([...amounts].filter(([name]) => has(name)));
}

/** Returns true for the same amounts of the same resources, in any notation. */
export function equalAmounts(left: Amounts, right: Amounts): boolean {
  if (left.size !== right.size) return false;
  return [...left].every(([name, amount]) => right.get(name)?.equals(amount) ?? false);
}
