import { quoteGo } from 'client-ts/internal';
import { isRequestUri } from '../../validation/string-formats.ts';
import { ONE, reads } from '../costs.ts';
import { type Overload, overload, parseType } from '../declarations.ts';
import { ArrayList, EntryMap, Failure, Opaque, type Value } from '../values.ts';

const TYPE = parseType('kubernetes.URL');

/** An absolute URL or path, in the parts that Go splits it into. */
class Url extends Opaque {
  readonly type = TYPE;
  readonly text: string;
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;

  constructor(text: string) {
    super();
    this.text = text;
    const [, scheme = '', rest = ''] = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?([^#]*)/.exec(text) ?? [];
    const [, authority = '', path = '', query = ''] =
      /^(?:\/\/([^/?]*))?([^?]*)(?:\?([^]*))?$/.exec(rest) ?? [];
    this.scheme = scheme.toLowerCase();
    this.host = authority.slice(authority.lastIndexOf('@') + 1);
    // A URL such as `mailto:a` has no path.
    this.path = path.startsWith('/') || scheme === '' ? path : '';
    this.query = query;
  }

  get hostname(): string {
    return this.host.replace(/:\d*$/, '').replace(/^\[([^]*)\]$/, '$1');
  }

  get port(): string {
    return /:(\d*)$/.exec(this.host)?.[1] ?? '';
  }

  /** The path as it was written if that is a valid spelling, else escaped as Go does. */
  get escapedPath(): string {
    const isValid = /^(?:[A-Za-z0-9\-._~$&+,/:;=@!'()*[\]]|%[0-9A-Fa-f]{2})*$/.test(this.path);
    if (isValid) return this.path;
    const decoded = decode(this.path, false) ?? this.path;
    return decoded.replace(/[^A-Za-z0-9\-._~$&+,/:;=@]/gu, (character) =>
      Array.from(
        Buffer.from(character),
        (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
      ).join(''),
    );
  }

  equals(other: Opaque): boolean {
    return other instanceof Url && this.text === other.text;
  }
}

function decode(text: string, isQuery: boolean): string | undefined {
  try {
    return decodeURIComponent(isQuery ? text.replaceAll('+', ' ') : text);
  } catch {
    return undefined;
  }
}

function parse(text: string): Value {
  if (isRequestUri(text)) return new Url(text);
  const problem = text === '' ? 'empty url' : 'invalid URI for request';
  return new Failure(
    `URL parse error during conversion from string: parse ${quoteGo(text)}: ${problem}`,
  );
}

function queryOf({ query }: Url): Value {
  const values = new Map<string, Value[]>();
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const at = pair.indexOf('=');
    const key = decode(at === -1 ? pair : pair.slice(0, at), true);
    const value = decode(at === -1 ? '' : pair.slice(at + 1), true);
    if (key === undefined || value === undefined) continue;
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  return new EntryMap(Array.from(values, ([key, list]) => [key, new ArrayList(list)] as const));
}

const U = 'kubernetes.URL';

/** Absolute URLs. */
export const URLS: readonly Overload[] = [
  overload(`url(string) -> ${U}`, parse, reads(0, { isResult: true })),
  overload('isURL(string) -> bool', (text: string) => isRequestUri(text)),
  overload(`<${U}>.getScheme() -> string`, ({ scheme }: Url) => scheme, ONE),
  overload(`<${U}>.getHost() -> string`, ({ host }: Url) => host, ONE),
  overload(`<${U}>.getHostname() -> string`, ({ hostname }: Url) => hostname, ONE),
  overload(`<${U}>.getPort() -> string`, ({ port }: Url) => port, ONE),
  overload(`<${U}>.getEscapedPath() -> string`, ({ escapedPath }: Url) => escapedPath, ONE),
  overload(`<${U}>.getQuery() -> map(string, list(string))`, queryOf, ONE),
];
