import type { Schema } from '../schema/schema.ts';
import { parseCIDR, parseIP } from '../validation/ip.ts';

const shortName = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const uuid = (version: string, variant: string): RegExp =>
  new RegExp(
    `^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?${variant}[0-9a-f]{3}-?[0-9a-f]{12}$`,
    'i',
  );

/** The formats of text that the server checks, by their names without dashes. */
const textFormats: Readonly<Record<string, (value: string) => boolean>> = {
  bsonobjectid: matching(/^[0-9a-fA-F]{24}$/),
  byte: matching(
    /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/,
  ),
  cidr: (value) => parseCIDR(value) !== undefined,
  creditcard: isCreditCard,
  date: isDate,
  datetime: isDateTime,
  duration: isDuration,
  email: isEmail,
  hexcolor: matching(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  hostname: isHostname,
  ipv4: (value) => parseIP(value) !== undefined && value.includes('.'),
  ipv6: (value) => parseIP(value) !== undefined && value.includes(':'),
  isbn: (value) => isIsbn10(value) || isIsbn13(value),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  k8slongname: (value) =>
    value.length <= 253 && value.split('.').every((part) => shortName.test(part)),
  k8sshortname: (value) => value.length <= 63 && shortName.test(value),
  mac: isMac,
  password: () => true,
  rgbcolor: isRgbColor,
  ssn: (value) => value.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(value),
  uri: isRequestUri,
  uuid: matching(uuid('[0-9a-f]', '[0-9a-f]')),
  uuid3: matching(uuid('3', '[0-9a-f]')),
  uuid4: matching(uuid('4', '[89ab]')),
  uuid5: matching(uuid('5', '[89ab]')),
};

/**
 * The format of a schema if the server knows it for the schema's type; others are not checked at
 * all.
 */
export function supportedFormat({ type, format, special }: Schema): string | undefined {
  if (format === undefined || format === '') return undefined;
  if (special === 'int-or-string') return isTextFormat(format) ? format : undefined;
  switch (type) {
    case undefined:
    case 'string':
      return isTextFormat(format) ? format : undefined;
    case 'integer':
      return format === 'int32' || format === 'int64' ? format : undefined;
    case 'number':
      return format === 'float' || format === 'double' ? format : undefined;
    default:
      return undefined;
  }
}

/** True for the formats that say something about text. Dashes in their names do not count. */
export function isTextFormat(format: string | undefined): boolean {
  return format !== undefined && Object.hasOwn(textFormats, format.replaceAll('-', ''));
}

export function matchesFormat(value: string, format: string): boolean {
  return textFormats[format.replaceAll('-', '')]?.(value) ?? true;
}

function matching(pattern: RegExp): (value: string) => boolean {
  return (value) => pattern.test(value);
}

function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const [year = 0, month = 0, day = 0] = value.split('-').map(Number);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return day > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function isDateTime(value: string): boolean {
  const [date = '', time = ''] = value.toLowerCase().split('t');
  const parts = /^(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/.exec(time);
  if (parts === null || !isDate(date)) return false;
  const [, hour = '', minute = '', second = ''] = parts;
  return hour <= '23' && minute <= '59' && second <= '59';
}

function isDuration(value: string): boolean {
  if (value === '0' || /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(value)) {
    return true;
  }
  // Words are taken too, and the first letters of a unit are enough: 2 days, 5 min.
  const unit = /^(?:(?:ns|us|µs|ms|s|m|h|hr|d|w|wk)$|nano|micro|milli|sec|min|hour|day|week)/i;
  return Array.from(value.matchAll(/\d+\s*([A-Za-zµ]+)/g)).some(([, word = '']) => unit.test(word));
}

const atom = String.raw`[A-Za-z0-9!#$%&'*+\/=?^_\x60{|}~\-\u0080-\u{10ffff}]+`;
const dotAtom = String.raw`${atom}(?:\.${atom})*`;
const quotedText = String.raw`"(?:[^"\\\x00-\x1f\x7f]|\\[ -~])*"`;
const address = String.raw`(?:${dotAtom}|${quotedText})@(?:${dotAtom}|\[([^\[\]\\]*)\])`;
const phrase = String.raw`(?:(?:${atom}|${quotedText}|\.)\s*)+`;
const comment = String.raw`(?:\s*\([^()\\]*\))*`;
const email = new RegExp(
  String.raw`^\s*(?:${address}|(?:${phrase})?<${address}>)${comment}\s*$`,
  'u',
);

/** An address of RFC 5322, with or without a name before it. */
function isEmail(value: string): boolean {
  const parts = email.exec(value);
  if (parts === null) return false;
  const literal = parts[1] ?? parts[2];
  return literal === undefined || parseIP(literal) !== undefined;
}

const hostname =
  /^(?:[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?|(?:[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?\.)+[a-zA-Z\p{L}]{2,63})$/u;

function isHostname(value: string): boolean {
  return (
    hostname.test(value) &&
    Buffer.byteLength(value) <= 255 &&
    value.split('.').every((part) => Buffer.byteLength(part) <= 63)
  );
}

function isMac(value: string): boolean {
  const bytes = /^[0-9a-fA-F]{2}([:-])(?:[0-9a-fA-F]{2}\1)*[0-9a-fA-F]{2}$/.exec(value);
  if (bytes !== null) return [17, 23, 59].includes(value.length);
  return (
    /^(?:[0-9a-fA-F]{4}\.){2,9}[0-9a-fA-F]{4}$/.test(value) && [14, 19, 49].includes(value.length)
  );
}

/** A URI with a scheme, or a path from the root. */
function isRequestUri(value: string): boolean {
  if (/\p{Cc}/u.test(value)) return false;
  if (value === '*') return true;
  const parts = /^([A-Za-z][A-Za-z0-9+.-]*:)?([^?]*)/.exec(value);
  const [, scheme = '', rest = ''] = parts ?? [];
  if (scheme === '' && !rest.startsWith('/')) return false;
  const [, authority, path = ''] =
    scheme === '' ? ['', undefined, rest] : (/^(?:\/\/([^/]*))?(.*)$/s.exec(rest) ?? []);
  const hasBadEscape = /%(?![0-9A-Fa-f]{2})/.test(path.startsWith('/') ? path : '');
  return !hasBadEscape && (authority === undefined || isAuthority(authority));
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(authority.slice(0, Math.max(at, 0)))) return false;
  const bracketed = /^\[([^\]]*)\](?::\d*)?$/.exec(host);
  if (bracketed !== null) {
    const ip = (bracketed[1] ?? '').replace(/%25.+$/, '');
    return ip.includes(':') && parseIP(ip) !== undefined;
  }
  return /^[A-Za-z0-9\-_.~!$&'()*+,;=<>"\u0080-\u{10ffff}]*(?::\d*)?$/u.test(host);
}

function isCreditCard(value: string): boolean {
  const digits = value.replaceAll(/[^0-9]+/g, '');
  const known =
    /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;
  if (!known.test(digits)) return false;
  let sum = 0;
  for (const [index, digit] of Array.from(digits).toReversed().entries()) {
    const weighted = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}

function isIsbn10(value: string): boolean {
  const digits = value.replaceAll(/[\s-]+/g, '');
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  let sum = 0;
  for (const [index, digit] of Array.from(digits).entries()) {
    sum += (index + 1) * (digit === 'X' ? 10 : Number(digit));
  }
  return sum % 11 === 0;
}

function isIsbn13(value: string): boolean {
  const digits = value.replaceAll(/[\s-]+/g, '');
  if (!/^\d{13}$/.test(digits)) return false;
  let sum = 0;
  for (const [index, digit] of Array.from(digits).entries()) {
    sum += (index % 2 === 0 ? 1 : 3) * Number(digit);
  }
  return sum % 10 === 0;
}

function isRgbColor(value: string): boolean {
  const part = String.raw`\s*(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*`;
  return new RegExp(String.raw`^rgb\(${part},${part},${part}\)$`).test(value);
}
