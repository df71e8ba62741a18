// Upstream: staging/src/k8s.io/apimachinery/pkg/util/validation/ip.go
// Upstream: vendor/k8s.io/utils/net/parse.go
import { type FieldError, invalid } from './field-error.ts';

/** The family of an IP address. */
export type IPFamily = 'IPv4' | 'IPv6';

/** An IP address as 4 or 16 bytes. */
export interface ParsedIP {
  readonly family: IPFamily;
  readonly bytes: readonly number[];
}

/**
 * Parses an address as leniently as kube-apiserver: leading zeros in IPv4 are ignored (`010` is
 * ten), an IPv4-mapped IPv6 address (`::ffff:1.2.3.4`) counts as IPv4, zones are rejected.
 */
export function parseIP(text: string): ParsedIP | undefined {
  if (!text.includes(':')) {
    const bytes = parseIPv4(text);
    return bytes && { family: 'IPv4', bytes };
  }
  const bytes = parseIPv6(text);
  if (bytes === undefined) return undefined;
  return isMapped(bytes) ? { family: 'IPv4', bytes: bytes.slice(12) } : { family: 'IPv6', bytes };
}

/** A CIDR block. `bytes` keeps the host bits as written. */
export interface ParsedCIDR extends ParsedIP {
  readonly prefixLength: number;
}

/** Prefix of IPv4-mapped IPv6 addresses. */
const MAPPED_PREFIX: readonly number[] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

/** Parses `address/length` as leniently as {@link parseIP}. */
export function parseCIDR(text: string): ParsedCIDR | undefined {
  const slash = text.indexOf('/');
  const length = text.slice(slash + 1);
  const address = slash === -1 ? undefined : parseIP(text.slice(0, slash));
  if (address === undefined || !/^\d{1,3}$/.test(length)) return undefined;
  const isMappedAddress = address.family === 'IPv4' && text.includes(':');
  const prefixLength = Number(length) - (isMappedAddress ? MAPPED_PREFIX.length * 8 : 0);
  if (prefixLength > address.bytes.length * 8) return undefined;
  // A mapped block that is larger than all of IPv4 counts as IPv6.
  return prefixLength < 0
    ? { family: 'IPv6', bytes: [...MAPPED_PREFIX, ...address.bytes], prefixLength: Number(length) }
    : { ...address, prefixLength };
}

/** Returns the canonical text: no leading zeros, RFC 5952 for IPv6. */
export function formatIP({ family, bytes }: ParsedIP): string {
  if (family === 'IPv4') return bytes.join('.');
  const words = wordsOf(bytes);
  const gap = longestZeroRun(words);
  const hex = (part: readonly number[]): string => part.map((word) => word.toString(16)).join(':');
  return gap.length < 2
    ? hex(words)
    : `${hex(words.slice(0, gap.start))}::${hex(words.slice(gap.start + gap.length))}`;
}

/** Returns the canonical text of a block, with the host bits cleared. */
export function formatCIDR(cidr: ParsedCIDR): string {
  return `${formatIP({ family: cidr.family, bytes: maskedBytes(cidr) })}/${cidr.prefixLength}`;
}

/** Returns the bytes of the first address in a block. */
export function maskedBytes({ bytes, prefixLength }: ParsedCIDR): number[] {
  return bytes.map((byte, index) => {
    const kept = Math.min(Math.max(prefixLength - index * 8, 0), 8);
    return byte & (0xff00 >> kept) & 0xff;
  });
}

/**
 * Checks an address in a field that predates strict parsing: non-canonical spellings are rejected,
 * unless the old object has the same one.
 */
export function validateIP(
  field: string,
  value: string,
  existing: readonly string[] = [],
): FieldError[] {
  const problem = existing.includes(value) ? undefined : ipProblem(value);
  return problem === undefined ? [] : [invalid(field, value, problem)];
}

function ipProblem(value: string): string | undefined {
  if (parseIP(value) === undefined) {
    return 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
  }
  if (hasLeadingZeros(value)) return 'must not have leading 0s';
  return isMappedText(value) ? 'must not be an IPv4-mapped IPv6 address' : undefined;
}

/** Returns what is wrong with an address in a field that requires the canonical form. */
export function canonicalIPProblems(value: string): string[] {
  const problem = ipProblem(value);
  if (problem !== undefined) return [problem];
  const address = parseIP(value);
  const canonical = address && formatIP(address);
  return value === canonical ? [] : [`must be in canonical form ("${canonical}")`];
}

/** Checks a block in a field that requires the canonical form. */
export function validateCanonicalCIDR(field: string, value: string): FieldError[] {
  const errors = validateCIDR(field, value);
  const cidr = parseCIDR(value);
  if (errors.length > 0 || cidr === undefined) return errors;
  const canonical = formatCIDR(cidr);
  return value === canonical
    ? []
    : [invalid(field, value, `must be in canonical form ("${canonical}")`)];
}

/** Returns true if `inner` is a proper subset of `outer`. */
export function isStrictSubset(inner: ParsedCIDR, outer: ParsedCIDR): boolean {
  if (inner.family !== outer.family || inner.prefixLength <= outer.prefixLength) return false;
  const network = maskedBytes(outer);
  return maskedBytes({ ...inner, prefixLength: outer.prefixLength }).every(
    (byte, index) => byte === network[index],
  );
}

/** Checks a block in a field that predates strict parsing, like {@link validateIP}. */
export function validateCIDR(
  field: string,
  value: string,
  existing: readonly string[] = [],
): FieldError[] {
  if (existing.includes(value)) return [];
  const cidr = parseCIDR(value);
  if (cidr === undefined) {
    return [
      invalid(field, value, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'),
    ];
  }
  const [address = '', length = ''] = value.split('/');
  if (hasLeadingZeros(address) || /^0\d/.test(length)) {
    return [invalid(field, value, 'must not have leading 0s in IP or prefix length')];
  }
  if (isMappedText(address)) {
    return [invalid(field, value, 'must not have an IPv4-mapped IPv6 address')];
  }
  return maskedBytes(cidr).every((byte, index) => byte === cidr.bytes[index])
    ? []
    : [invalid(field, value, 'must not have bits set beyond the prefix length')];
}

/** Returns true if there is exactly one address of each family. */
export function isDualStack(addresses: readonly (ParsedIP | undefined)[]): boolean {
  const families = addresses.map((address) => address?.family);
  return families.length === 2 && families.includes('IPv4') && families.includes('IPv6');
}

/** Rejects addresses that an endpoint cannot have: unspecified, loopback, link-local. */
export function validateEndpointIP(field: string, value: string): FieldError[] {
  const address = parseIP(value);
  if (address === undefined) return [invalid(field, value, 'must be a valid IP address')];
  const errors: FieldError[] = [];
  if (address.bytes.every((byte) => byte === 0)) {
    errors.push(invalid(field, value, `may not be unspecified (${value})`));
  }
  if (isLoopback(address)) {
    errors.push(invalid(field, value, 'may not be in the loopback range (127.0.0.0/8, ::1/128)'));
  }
  if (startsWith(address, [169, 254], [0xfe, 0x80], 10)) {
    errors.push(
      invalid(field, value, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'),
    );
  }
  if (startsWith(address, [224, 0, 0], [0xff, 0x02], 16)) {
    const range = '224.0.0.0/24, ff02::/10';
    errors.push(invalid(field, value, `may not be in the link-local multicast range (${range})`));
  }
  return errors;
}

/** Returns the warnings about a valid address in a non-canonical form. */
export function warningsForIP(field: string, value: string): string[] {
  const address = parseIP(value);
  if (address === undefined) return [];
  const canonical = formatIP(address);
  if (hasLeadingZeros(value) || isMappedText(value)) {
    return [`${field}: non-standard IP address "${value}" is invalid: use "${canonical}"`];
  }
  return address.family === 'IPv6' && canonical !== value
    ? [`${field}: IPv6 address "${value}" should be in RFC 5952 canonical format ("${canonical}")`]
    : [];
}

/** Returns the warnings about a valid block in a non-canonical form. */
export function warningsForCIDR(field: string, value: string): string[] {
  const cidr = parseCIDR(value);
  if (cidr === undefined) return [];
  const canonical = formatCIDR(cidr);
  const address = value.split('/')[0] ?? '';
  const warnings: string[] = [];
  if (!maskedBytes(cidr).every((byte, index) => byte === cidr.bytes[index])) {
    const single = `${formatIP(cidr)}/${cidr.bytes.length * 8}`;
    warnings.push(
      `${field}: CIDR value "${value}" is ambiguous in this context (should be "${canonical}" or "${single}"?)`,
    );
  }
  if (hasLeadingZeros(address) || isMappedText(address)) {
    warnings.push(`${field}: non-standard CIDR value "${value}" is invalid: use "${canonical}"`);
  }
  if (warnings.length === 0 && cidr.family === 'IPv6' && canonical !== value) {
    warnings.push(
      `${field}: IPv6 CIDR value "${value}" should be in RFC 5952 canonical format ("${canonical}")`,
    );
  }
  return warnings;
}

function parseIPv4(text: string): number[] | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^\d+$/.test(part))) return undefined;
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : undefined;
}

function parseIPv6(text: string): number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map(parseWords);
  if (head === undefined || (halves.length === 2 && tail === undefined)) return undefined;
  const missing = 8 - head.length - (tail?.length ?? 0);
  // A double colon replaces at least one group of zeros.
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const words = [...head, ...new Array<number>(missing).fill(0), ...(tail ?? [])];
  return words.flatMap((word) => [word >> 8, word & 0xff]);
}

function parseWords(text: string, half: number, halves: readonly string[]): number[] | undefined {
  if (text === '') return [];
  const words: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1 && half === halves.length - 1;
    const dotted = isLast && part.includes('.') ? parseIPv4(part) : undefined;
    if (dotted !== undefined) {
      const [a = 0, b = 0, c = 0, d = 0] = dotted;
      words.push((a << 8) | b, (c << 8) | d);
    } else if (/^[0-9a-f]{1,4}$/i.test(part)) {
      words.push(Number.parseInt(part, 16));
    } else {
      return undefined;
    }
  }
  return words;
}

function wordsOf(bytes: readonly number[]): number[] {
  const words: number[] = [];
  for (let index = 0; index < bytes.length; index += 2) {
    words.push(((bytes[index] ?? 0) << 8) | (bytes[index + 1] ?? 0));
  }
  return words;
}

function longestZeroRun(words: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  let length = 0;
  for (const [index, word] of words.entries()) {
    length = word === 0 ? length + 1 : 0;
    if (length > best.length) best = { start: index - length + 1, length };
  }
  return best;
}

function isMapped(bytes: readonly number[]): boolean {
  return MAPPED_PREFIX.every((byte, index) => bytes[index] === byte);
}

function isMappedText(text: string): boolean {
  return text.includes(':') && parseIP(text)?.family === 'IPv4';
}

/** Looks at dotted parts only: leading zeros are normal in IPv6 groups. */
function hasLeadingZeros(text: string): boolean {
  return text
    .slice(text.lastIndexOf(':') + 1)
    .split('.')
    .some((part, _, parts) => parts.length === 4 && /^0\d/.test(part));
}

function isLoopback({ family, bytes }: ParsedIP): boolean {
  if (family === 'IPv4') return bytes[0] === 127;
  return bytes.slice(0, 15).every((byte) => byte === 0) && bytes[15] === 1;
}

function startsWith(
  { family, bytes }: ParsedIP,
  v4: readonly number[],
  v6: readonly [number, number],
  v6Bits: number,
): boolean {
  if (family === 'IPv4') return v4.every((byte, index) => bytes[index] === byte);
  const mask = (0xffff << (16 - v6Bits)) & 0xffff;
  const first = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  return (first & mask) === (((v6[0] << 8) | v6[1]) & mask);
}
