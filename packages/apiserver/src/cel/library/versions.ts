import { ONE, reads } from '../costs.ts';
import { type Overload, overload, parseType } from '../declarations.ts';
import { Failure, Opaque } from '../values.ts';

const TYPE = parseType('kubernetes.Semver');

/** A version of semver.org. */
class Semver extends Opaque {
  readonly type = TYPE;
  readonly numbers: readonly bigint[];
  /** What follows the dash, split at dots; empty for a release. */
  readonly preRelease: readonly string[];

  constructor(numbers: readonly bigint[], preRelease: readonly string[]) {
    super();
    this.numbers = numbers;
    this.preRelease = preRelease;
  }

  equals(other: Opaque): boolean {
    return other instanceof Semver && compare(this, other) === 0;
  }
}

const MAX = 2n ** 64n - 1n;

function parse(text: string): Failure | Semver {
  if (text === '') return new Failure('Version string empty');
  const parts = text.split('.');
  const [major = '', minor = '', ...others] = parts;
  if (others.length === 0) return new Failure('No Major.Minor.Patch elements found');
  const rest = others.join('.');
  const plus = rest.indexOf('+');
  const build = plus === -1 ? [] : rest.slice(plus + 1).split('.');
  const noBuild = plus === -1 ? rest : rest.slice(0, plus);
  const dash = noBuild.indexOf('-');
  const preRelease = dash === -1 ? [] : noBuild.slice(dash + 1).split('.');
  const patch = dash === -1 ? noBuild : noBuild.slice(0, dash);
  for (const [name, digits] of [
    ['Major', major],
    ['Minor', minor],
    ['Patch', patch],
  ] as const) {
    const problem = numberProblem(name, digits);
    if (problem !== undefined) return new Failure(problem);
  }
  const problem = identifiersProblem(preRelease, build);
  if (problem !== undefined) return new Failure(problem);
  return new Semver([BigInt(major), BigInt(minor), BigInt(patch)], preRelease);
}

function numberProblem(name: string, digits: string): string | undefined {
  if (!/^\d*$/.test(digits))
    return `Invalid character(s) found in ${name.toLowerCase()} number "${digits}"`;
  if (digits.length > 1 && digits.startsWith('0')) {
    return `${name} number must not contain leading zeroes "${digits}"`;
  }
  if (digits === '') return `strconv.ParseUint: parsing "": invalid syntax`;
  if (digits.length > 20 || BigInt(digits) > MAX) {
    return `strconv.ParseUint: parsing "${digits}": value out of range`;
  }
  return undefined;
}

function identifiersProblem(
  preRelease: readonly string[],
  build: readonly string[],
): string | undefined {
  for (const part of preRelease) {
    if (part === '') return 'Prerelease is empty';
    if (/^0\d+$/.test(part))
      return `Numeric PreRelease version must not contain leading zeroes "${part}"`;
    if (!/^[0-9A-Za-z-]+$/.test(part)) return `Invalid character(s) found in prerelease "${part}"`;
  }
  for (const part of build) {
    if (part === '') return 'Build meta data is empty';
    if (!/^[0-9A-Za-z-]+$/.test(part))
      return `Invalid character(s) found in build meta data "${part}"`;
  }
  return undefined;
}

/** Accepts a `v`, leading zeros, and fewer than three numbers. */
function parseLoosely(text: string): Failure | Semver {
  const whole = text.replace(/^v/, '');
  const dots = whole.split('.');
  const parts = dots.length > 3 ? [...dots.slice(0, 2), dots.slice(2).join('.')] : dots;
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? '')) {
    return new Failure('short version cannot contain PreRelease/Build meta data');
  }
  const numbers = parts.map((part) =>
    part.length > 1 ? part.replace(/^0+/, '').replace(/^(?!\d)/, '0') : part,
  );
  while (numbers.length < 3) numbers.push('0');
  return parse(numbers.join('.'));
}

function read(text: string, isLoose = false): Failure | Semver {
  return isLoose ? parseLoosely(text) : parse(text);
}

function compare(left: Semver, right: Semver): number {
  for (const [index, number] of left.numbers.entries()) {
    const other = right.numbers[index] ?? 0n;
    if (number !== other) return number < other ? -1 : 1;
  }
  if (left.preRelease.length === 0 || right.preRelease.length === 0) {
    return Math.sign(right.preRelease.length - left.preRelease.length);
  }
  for (const [index, part] of left.preRelease.entries()) {
    const other = right.preRelease[index];
    if (other === undefined) return 1;
    const result = comparePart(part, other);
    if (result !== 0) return result;
  }
  return left.preRelease.length < right.preRelease.length ? -1 : 0;
}

/** Numbers come before words. */
function comparePart(left: string, right: string): number {
  const [isLeftNumber, isRightNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)];
  if (isLeftNumber !== isRightNumber) return isLeftNumber ? -1 : 1;
  if (left === right) return 0;
  const isLess = isLeftNumber ? BigInt(left) < BigInt(right) : left < right;
  return isLess ? -1 : 1;
}

const S = 'kubernetes.Semver';
const number = (index: number) => (version: Semver) => version.numbers[index] ?? 0n;
const isVersion = (text: string, isLoose = false): boolean => read(text, isLoose) instanceof Semver;

/** Versions such as `1.2.3-rc.1`. */
export const VERSIONS: readonly Overload[] = [
  overload(`semver(string) -> ${S}`, read, reads()),
  overload(`semver(string, bool) -> ${S}`, read, reads()),
  overload('isSemver(string) -> bool', isVersion, reads()),
  overload('isSemver(string, bool) -> bool', isVersion, reads()),
  overload(`<${S}>.isGreaterThan(${S}) -> bool`, (a: Semver, b: Semver) => compare(a, b) > 0, ONE),
  overload(`<${S}>.isLessThan(${S}) -> bool`, (a: Semver, b: Semver) => compare(a, b) < 0, ONE),
  overload(`<${S}>.compareTo(${S}) -> int`, (a: Semver, b: Semver) => BigInt(compare(a, b)), ONE),
  overload(`<${S}>.major() -> int`, number(0), ONE),
  overload(`<${S}>.minor() -> int`, number(1), ONE),
  overload(`<${S}>.patch() -> int`, number(2), ONE),
];
