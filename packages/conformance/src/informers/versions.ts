import { compareResourceVersions } from 'client-ts/meta';

/** Orders versions; the empty one, which stands for the beginning, is before all others. */
function compare(left: string, right: string): number {
  if (left === '' || right === '') return left === right ? 0 : left === '' ? -1 : 1;
  return compareResourceVersions(left, right);
}

/** True if `left` comes before `right`. */
export function isOlder(left: string, right: string): boolean {
  return compare(left, right) < 0;
}

/** True unless `left` comes after `right`. */
export function isAtMost(left: string, right: string): boolean {
  return compare(left, right) <= 0;
}
