import { quoteGo } from 'client-ts/internal';

/** Returns why a text is no IP address, in the words of Go; it must not be one. */
export function addressProblem(text: string): string {
  const [first] = /[.:%]/.exec(text) ?? [];
  if (first === '.') return problemOfIPv4(text) ?? 'unable to parse IP';
  if (first === ':') return problemOfIPv6(text) ?? 'unable to parse IP';
  return first === '%' ? 'missing IPv6 address' : 'unable to parse IP';
}

const TOO_FULL = 'the :: must expand to at least one field of zeros';

function at(problem: string, rest: string): string {
  return `${problem} (at ${quoteGo(rest)})`;
}

function problemOfIPv4(text: string): string | undefined {
  let fields = 1;
  let digits = '';
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? '';
    const rest = text.slice(index);
    if (/\d/.test(character)) {
      if (digits === '0') return 'IPv4 field has octet with leading zero';
      digits += character;
      if (Number(digits) > 255) return 'IPv4 field has value >255';
    } else if (character === '.') {
      if (digits === '' || index === text.length - 1) {
        return at('IPv4 field must have at least one digit', rest);
      }
      if (fields === 4) return 'IPv4 address too long';
      fields++;
      digits = '';
    } else {
      return at('unexpected character', rest);
    }
  }
  return fields < 4 ? 'IPv4 address too short' : undefined;
}

function problemOfIPv6(text: string): string | undefined {
  const [address = '', zone] = text.split(/%(.*)/s, 2);
  if (zone === '') return 'zone must be a non-empty string';
  let hasEllipsis = address.startsWith('::');
  let rest = hasEllipsis ? address.slice(2) : address;
  let fields = 0;
  while (rest !== '' && fields < 8) {
    const [field = ''] = /^[0-9a-fA-F]*/.exec(rest) ?? [];
    if (field.length > 4) return at('each group must have 4 or less digits', rest);
    if (field === '') return at('each colon-separated field must have at least one digit', rest);
    if (rest[field.length] === '.') return embeddedProblem(rest, fields, hasEllipsis);
    fields++;
    rest = rest.slice(field.length);
    if (rest === '') break;
    if (!rest.startsWith(':')) return at('unexpected character, want colon', rest);
    if (rest.length === 1) return at('colon must be followed by more characters', rest);
    rest = rest.slice(1);
    if (!rest.startsWith(':')) continue;
    if (hasEllipsis) return at('multiple :: in address', rest);
    hasEllipsis = true;
    rest = rest.slice(1);
  }
  if (rest !== '') return at('trailing garbage after address', rest);
  if (fields < 8) return hasEllipsis ? undefined : 'address string too short';
  return hasEllipsis ? TOO_FULL : undefined;
}

/** The problem of an address that ends as one of IPv4. */
function embeddedProblem(rest: string, fields: number, hasEllipsis: boolean): string | undefined {
  if (!hasEllipsis && fields !== 6) {
    return at('embedded IPv4 address must replace the final 2 fields of the address', rest);
  }
  if (fields > 6) {
    return at('too many hex fields to fit an embedded IPv4 at the end of the address', rest);
  }
  return problemOfIPv4(rest) ?? (fields === 6 && hasEllipsis ? TOO_FULL : undefined);
}
