import { getKey } from 'client-ts/internal';
import type { Schema } from '../schema/schema.ts';
import { durationProblem, fitsInt64 } from './go-duration.ts';
import { parseCIDR, parseIP } from './ip.ts';
import { isEmailAddress } from './email-address.ts';

const shortName = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const uuid = (version: string, variant: string): RegExp =>
  new RegExp(
    `^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?${variant}[0-9a-f]{3}-?[0-9a-f]{12}$`,
    'i',
  );

/** The string formats that the server validates, by name without dashes. */
const textFormats: Readonly<Record<string, (value: string) => boolean>> = {
  bsonobjectid: matching(/^[0-9a-fA-F]{24}$/),
  byte: (value) => value !== '' && value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value),
  cidr: (value) => parseCIDR(value) !== undefined,
  creditcard: isCreditCard,
  date: isDate,
  datetime: isDateTime,
  duration: isDuration,
  email: isEmailAddress,
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
  rgbcolor: matching(rgbColor()),
  ssn: (value) => value.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(value),
  uri: isRequestUri,
  uuid: matching(uuid('[0-9a-f]', '[0-9a-f]')),
  uuid3: matching(uuid('3', '[0-9a-f]')),
  uuid4: matching(uuid('4', '[89ab]')),
  uuid5: matching(uuid('5', '[89ab]')),
};

/**
 * Returns the format of a schema if the server supports it for the schema's type; other formats are
 * not validated.
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

/** True for formats of strings. Dashes in the name do not count. */
export function isTextFormat(format: string | undefined): boolean {
  return format !== undefined && checkOf(format) !== undefined;
}

export function matchesFormat(value: string, format: string): boolean {
  return checkOf(format)?.(value) ?? true;
}

function checkOf(format: string): ((value: string) => boolean) | undefined {
  return getKey(textFormats, format.replaceAll('-', ''));
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

/** Words are accepted, too, and so are abbreviated units: `2 days`, `5 min`. */
const durationUnit =
  /^(?:(?:ns|us|µs|ms|s|m|h|hr|d|w|wk)$|nano|micro|milli|sec|min|hour|day|week)/i;

function isDuration(value: string): boolean {
  return durationProblem(value) === undefined || hasDurationInWords(value);
}

/** Looks for numbers followed by a unit, in linear time. */
function hasDurationInWords(value: string): boolean {
  const number = /\d+/g;
  const word = /[\t\n\f\r ]*([A-Za-zµ]+)/y;
  let hasUnit = false;
  for (let digits = number.exec(value); digits !== null; digits = number.exec(value)) {
    word.lastIndex = number.lastIndex;
    const unit = word.exec(value)?.[1];
    if (unit === undefined) continue;
    if (!fitsInt64(digits[0])) return false;
    hasUnit ||= durationUnit.test(unit);
  }
  return hasUnit;
}

const hostname =
  /^(?:[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?|(?:[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?\.)+[a-zA-Z\p{L}]{2,63})$/u;

function isHostname(value: string): boolean {
  return (
    Buffer.byteLength(value) <= 255 &&
    hostname.test(value) &&
    value.split('.').every((part) => Buffer.byteLength(part) <= 63)
  );
}

function isMac(value: string): boolean {
  switch (value.length) {
    case 17:
    case 23:
    case 59:
      return /^[0-9a-fA-F]{2}([:-])(?:[0-9a-fA-F]{2}\1)*[0-9a-fA-F]{2}$/.test(value);
    case 14:
    case 19:
    case 49:
      return /^(?:[0-9a-fA-F]{4}\.){2,9}[0-9a-fA-F]{4}$/.test(value);
    default:
      return false;
  }
}

/** Accepts a URI with a scheme, or an absolute path. */
export function isRequestUri(value: string): boolean {
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
    const [ip = ''] = (bracketed[1] ?? '').split('%25', 1);
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
  const digits = value.replaceAll(/[\t\n\f\r -]+/g, '');
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  let sum = 0;
  for (const [index, digit] of Array.from(digits).entries()) {
    sum += (index + 1) * (digit === 'X' ? 10 : Number(digit));
  }
  return sum % 11 === 0;
}

function isIsbn13(value: string): boolean {
  const digits = value.replaceAll(/[\t\n\f\r -]+/g, '');
  if (!/^\d{13}$/.test(digits)) return false;
  let sum = 0;
  for (const [index, digit] of Array.from(digits).entries()) {
    sum += (index % 2 === 0 ? 1 : 3) * Number(digit);
  }
  return sum % 10 === 0;
}

function rgbColor(): RegExp {
  const space = String.raw`[\t\n\f\r ]*`;
  const part = String.raw`${space}(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])${space}`;
  return new RegExp(String.raw`^rgb\(${part},${part},${part}\)$`);
}
