import { parseQuantity, type Quantity } from 'client-ts/meta';

/*
 * Small questions about quantities that have been decoded, and so can be read. Notation does not
 * matter to any of them.
 */

/** True for amounts below zero; nothing is not below zero. */
export function isNegativeQuantity(quantity: Quantity | undefined): boolean {
  return quantity !== undefined && parseQuantity(quantity).sign < 0;
}

/** True for amounts above zero. */
export function isPositiveQuantity(quantity: Quantity): boolean {
  return parseQuantity(quantity).sign > 0;
}

/** True for whole numbers, to the precision of a thousandth. */
export function isIntegerQuantity(quantity: Quantity): boolean {
  return parseQuantity(quantity).milliValue() % 1000n === 0n;
}

/** True if `quantity` in whole units is a multiple of `unit`, which must be positive and whole. */
export function isMultipleOf(quantity: Quantity, unit: string): boolean {
  if (!/^[1-9][0-9]*([kMGTPE]|[KMGTPE]i)?$/.test(unit)) return false;
  return parseQuantity(quantity).value() % parseQuantity(unit).value() === 0n;
}

/** The sum, in the notation of the first. */
export function addQuantities(left: Quantity, right: Quantity): string {
  return parseQuantity(left).add(parseQuantity(right)).toString();
}

/** The larger of two amounts; the first if they are equal. */
export function maxQuantity(left: Quantity, right: Quantity): Quantity {
  return parseQuantity(left).compare(parseQuantity(right)) >= 0 ? left : right;
}

/** As the server writes it. */
export function quantityText(quantity: Quantity): string {
  return parseQuantity(quantity).toString();
}
