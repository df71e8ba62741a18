import { quoteGo } from 'client-ts/internal';
import { formatIP, maskedBytes, parseIP, type ParsedIP } from '../../validation/ip.ts';
import {
  type CostRule,
  countedSize,
  exactly,
  ONE,
  plus,
  reads,
  rule,
  scaled,
  TRAVERSAL,
} from '../costs.ts';
import { type Overload, overload, parseType } from '../declarations.ts';
import { addressProblem } from './address-problems.ts';
import { Failure, NO_SUCH_OVERLOAD, Opaque, type Value } from '../values.ts';

const IP_TYPE = parseType('net.IP');
const CIDR_TYPE = parseType('net.CIDR');

class IP extends Opaque {
  readonly type = IP_TYPE;
  readonly parsed: ParsedIP;

  constructor(parsed: ParsedIP) {
    super();
    this.parsed = parsed;
  }

  get text(): string {
    return formatIP(this.parsed);
  }

  equals(other: Opaque): boolean {
    return other instanceof IP && this.text === other.text;
  }
}

/** A block of addresses, with the host bits as they were written. */
class CIDR extends Opaque {
  readonly type = CIDR_TYPE;
  readonly ip: IP;
  readonly prefixLength: number;

  constructor(ip: IP, prefixLength: number) {
    super();
    this.ip = ip;
    this.prefixLength = prefixLength;
  }

  get text(): string {
    return `${this.ip.text}/${this.prefixLength}`;
  }

  get masked(): CIDR {
    const { parsed } = this.ip;
    const bytes = maskedBytes({ ...parsed, prefixLength: this.prefixLength });
    return new CIDR(new IP({ ...parsed, bytes }), this.prefixLength);
  }

  contains({ parsed }: IP): boolean {
    if (parsed.family !== this.ip.parsed.family) return false;
    return new CIDR(new IP(parsed), this.prefixLength).masked.ip.equals(this.masked.ip);
  }

  equals(other: Opaque): boolean {
    return other instanceof CIDR && this.text === other.text;
  }
}

/** Stricter than fields of objects: no leading zeros, no mapped addresses, no zones. */
function strictIP(text: string): ParsedIP | undefined {
  const parsed = parseIP(text);
  if (parsed === undefined) return undefined;
  const hasLeadingZero =
    text
      .split(':')
      .at(-1)
      ?.split('.')
      .some((part) => /^0\d/.test(part)) === true;
  return hasLeadingZero && text.includes('.') ? undefined : parsed;
}

function parseAddress(text: string): Failure | IP {
  // Only addresses of IPv6 have zones, and none is empty.
  const parsed = strictIP(text.includes(':') ? text.replace(/%.+$/s, '') : text);
  if (parsed === undefined) {
    const reason = `ParseAddr(${quoteGo(text)}): ${addressProblem(text)}`;
    return new Failure(
      `IP Address ${quoteGo(text)} parse error during conversion from string: ${reason}`,
    );
  }
  if (text.includes('%')) {
    return new Failure(`IP address ${quoteGo(text)} with zone value is not allowed`);
  }
  if (parsed.family === 'IPv4' && text.includes(':')) {
    return new Failure(`IPv4-mapped IPv6 address ${quoteGo(text)} is not allowed`);
  }
  return new IP(parsed);
}

function parseBlock(text: string): CIDR | Failure {
  const slash = text.lastIndexOf('/');
  const address = text.slice(0, Math.max(slash, 0));
  const length = text.slice(slash + 1);
  const parsed = strictIP(address);
  const what = 'network address parse error during conversion from string';
  if (slash === -1)
    return new Failure(`${what}: ${what}: netip.ParsePrefix(${quoteGo(text)}): no '/'`);
  if (parsed === undefined) {
    const hasZone = !(parseAddress(address.replace(/%.+$/s, '')) instanceof Failure);
    const problem =
      address.includes(':') && address.includes('%') && hasZone
        ? 'IPv6 zones cannot be present in a prefix'
        : `ParseAddr(${quoteGo(address)}): ${addressProblem(address)}`;
    return new Failure(`${what}: ${what}: netip.ParsePrefix(${quoteGo(text)}): ${problem}`);
  }
  if (parsed.family === 'IPv4' && address.includes(':')) {
    return new Failure(`${what}: IPv4-mapped IPv6 address ${quoteGo(text)} is not allowed`);
  }
  if (!/^(?:0|[1-9]\d*)$/.test(length)) {
    return new Failure(
      `${what}: ${what}: netip.ParsePrefix(${quoteGo(text)}): bad bits after slash: ${quoteGo(length)}`,
    );
  }
  if (Number(length) > parsed.bytes.length * 8) {
    return new Failure(
      `${what}: ${what}: netip.ParsePrefix(${quoteGo(text)}): prefix length out of range`,
    );
  }
  return new CIDR(new IP(parsed), Number(length));
}

function isCanonical(text: string): Value {
  const ip = parseAddress(text);
  return ip instanceof Failure ? ip : ip.text === text;
}

/** Whether the first bytes of an address are these, under masks. */
const startsWith = (
  ip: ParsedIP,
  bytes: readonly number[],
  masks = bytes.map(() => 255),
): boolean =>
  bytes.every((byte, index) => ((ip.bytes[index] ?? 0) & (masks[index] ?? 255)) === byte);

const isUnspecified = ({ parsed }: IP): boolean => parsed.bytes.every((byte) => byte === 0);
const isLoopback = ({ parsed }: IP): boolean =>
  parsed.family === 'IPv4'
    ? startsWith(parsed, [127])
    : parsed.bytes.every((byte, index) => byte === (index === 15 ? 1 : 0));
const isLinkLocalMulticast = ({ parsed }: IP): boolean =>
  parsed.family === 'IPv4'
    ? startsWith(parsed, [224, 0, 0])
    : startsWith(parsed, [0xff, 2], [255, 15]);
const isLinkLocalUnicast = ({ parsed }: IP): boolean =>
  parsed.family === 'IPv4'
    ? startsWith(parsed, [169, 254])
    : startsWith(parsed, [0xfe, 0x80], [255, 0xc0]);
const isMulticast = ({ parsed }: IP): boolean =>
  parsed.family === 'IPv4' ? startsWith(parsed, [224], [240]) : startsWith(parsed, [0xff]);

function isGlobalUnicast(ip: IP): boolean {
  const isBroadcast = ip.text === '255.255.255.255';
  return (
    !isBroadcast &&
    !isUnspecified(ip) &&
    !isLoopback(ip) &&
    !isMulticast(ip) &&
    !isLinkLocalUnicast(ip)
  );
}

const BYTES = { min: 4n, max: 16n };

/** Compares the bytes of two addresses; `isBlock` looks at the lengths, `isText` reads the other one. */
function containment(isBlock: boolean, isText: boolean): CostRule {
  const bytesOf = (value: Value | undefined): number =>
    value instanceof CIDR ? Math.ceil(value.prefixLength / 8) : 1;
  return rule(
    ([cidr, other]) => {
      const size = bytesOf(cidr);
      const block = isBlock ? Math.ceil(size * TRAVERSAL) + 1 : 0;
      const text = isText ? Math.ceil(countedSize(other) * TRAVERSAL) : 0;
      return Math.ceil(2 * size * TRAVERSAL) + block + text;
    },
    ({ size }) => {
      let cost = scaled(plus(BYTES, BYTES), TRAVERSAL);
      if (isBlock) cost = plus(plus(cost, scaled(BYTES, TRAVERSAL)), exactly(1));
      return { cost: isText ? plus(cost, scaled(size(1), TRAVERSAL)) : cost };
    },
  );
}

const containsBlock = (outer: CIDR, inner: CIDR): boolean =>
  outer.prefixLength <= inner.prefixLength && outer.contains(inner.ip);

/** Addresses and blocks of addresses. */
export const ADDRESSES: readonly Overload[] = [
  overload('ip(string) -> net.IP', parseAddress, reads()),
  overload(
    '<net.IP>.family() -> int',
    ({ parsed }: IP) => (parsed.family === 'IPv4' ? 4n : 6n),
    ONE,
  ),
  overload('ip.isCanonical(string) -> bool', isCanonical, reads(0, { passes: 2 })),
  overload('<net.IP>.isUnspecified() -> bool', isUnspecified, ONE),
  overload('<net.IP>.isLoopback() -> bool', isLoopback, ONE),
  overload('<net.IP>.isLinkLocalMulticast() -> bool', isLinkLocalMulticast, ONE),
  overload('<net.IP>.isLinkLocalUnicast() -> bool', isLinkLocalUnicast, ONE),
  overload('<net.IP>.isGlobalUnicast() -> bool', isGlobalUnicast, ONE),
  overload('isIP(string) -> bool', (text: string) => parseAddress(text) instanceof IP, reads()),
  overload('string(net.IP) -> string', ({ text }: IP) => text),
  overload('cidr(string) -> net.CIDR', parseBlock, reads()),
  overload(
    '<net.CIDR>.containsIP(string) -> bool',
    (cidr: CIDR, text: string) => {
      const ip = parseAddress(text);
      return ip instanceof Failure ? NO_SUCH_OVERLOAD : cidr.contains(ip);
    },
    containment(false, true),
  ),
  overload(
    '<net.CIDR>.containsIP(net.IP) -> bool',
    (cidr: CIDR, ip: IP) => cidr.contains(ip),
    containment(false, false),
  ),
  overload(
    '<net.CIDR>.containsCIDR(string) -> bool',
    (cidr: CIDR, text: string) => {
      const inner = parseBlock(text);
      return inner instanceof Failure ? inner : containsBlock(cidr, inner);
    },
    containment(true, true),
  ),
  overload('<net.CIDR>.containsCIDR(net.CIDR) -> bool', containsBlock, containment(true, false)),
  overload('<net.CIDR>.ip() -> net.IP', ({ ip }: CIDR) => ip, ONE),
  overload(
    '<net.CIDR>.prefixLength() -> int',
    ({ prefixLength }: CIDR) => BigInt(prefixLength),
    ONE,
  ),
  overload('<net.CIDR>.masked() -> net.CIDR', ({ masked }: CIDR) => masked, ONE),
  overload('isCIDR(string) -> bool', (text: string) => parseBlock(text) instanceof CIDR, reads()),
  overload('string(net.CIDR) -> string', ({ text }: CIDR) => text),
];
