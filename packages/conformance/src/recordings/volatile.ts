import { getKey } from 'client-ts/internal';
import { isIP } from 'node:net';
import type { Identities } from './identity.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z$/;
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d (GMT|UTC)$/;
const HASH = /hash=([0-9A-F]{128})/g;

/** Checks a volatile value; returns what was expected, or undefined. */
type VolatileRule = (recorded: unknown, own: unknown, identities: Identities) => string | undefined;

const shape =
  (expected: string, fits: (value: unknown) => boolean): VolatileRule =>
  (recorded, own) =>
    !fits(recorded) || fits(own) ? undefined : expected;

const time = shape('a time in whole seconds or micro seconds', matches(TIME));
const date = shape('an HTTP date', matches(HTTP_DATE));
const text = shape(
  'a text that is not empty',
  (value) => typeof value === 'string' && value !== '',
);

const uid: VolatileRule = (recorded, own, identities) =>
  typeof recorded === 'string' && typeof own === 'string'
    ? identities.check('uid', recorded, own)
    : undefined;

const address: VolatileRule = (recorded, own, identities) => {
  if (typeof recorded !== 'string' || isIP(recorded) === 0) {
    return own === recorded ? undefined : 'exactly this';
  }
  if (typeof own !== 'string' || isIP(own) !== isIP(recorded)) return 'an IP address';
  return identities.check('address', recorded, own);
};

const port: VolatileRule = (recorded, own, identities) =>
  typeof recorded === 'number' && typeof own === 'number'
    ? identities.check('port', String(recorded), String(own))
    : undefined;

const entityTag: VolatileRule = (recorded, own, identities) =>
  typeof recorded === 'string' && typeof own === 'string'
    ? identities.check('hash', recorded.replaceAll('"', ''), own.replaceAll('"', ''))
    : undefined;

/** A URL that ends with the hash of a document: the rest must be equal. */
const hashedAddress: VolatileRule = (recorded, own, identities) => {
  if (typeof recorded !== 'string' || typeof own !== 'string') return undefined;
  if (recorded.replaceAll(HASH, '') !== own.replaceAll(HASH, ''))
    return 'the same but for the hash';
  const hashes = [...own.matchAll(HASH)];
  for (const [index, match] of [...recorded.matchAll(HASH)].entries()) {
    const wrong = identities.check('hash', match[1] ?? '', hashes[index]?.[1] ?? '');
    if (wrong !== undefined) return wrong;
  }
  return undefined;
};

/**
 * Sizes of bodies that were not recorded: plain ones nearly equal, compressed ones of the same
 * order.
 */
const encodedBytes: VolatileRule = (recorded, own) => {
  if (typeof recorded !== 'number' || typeof own !== 'number') return undefined;
  const factor = recorded < 10_000 ? 4 : 1.02;
  return own > recorded * factor || own < recorded / factor ? 'about as many' : undefined;
};

/** Header and claims of a service account token; only times, ids and the signature may differ. */
const token: VolatileRule = (recorded, own) => {
  const wanted = claimsOf(recorded);
  const got = claimsOf(own);
  if (wanted === undefined) return undefined;
  if (got === undefined) return 'a JSON web token';
  return wanted === got ? undefined : `the claims ${wanted}; got ${got}`;
};

function claimsOf(value: unknown): string | undefined {
  const parts = typeof value === 'string' ? value.split('.') : [];
  if (parts.length !== 3) return undefined;
  const read = (part: string | undefined): Record<string, unknown> =>
    JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as Record<string, unknown>;
  try {
    const { alg } = read(parts[0]);
    const { exp, iat, nbf, jti, ...claims } = read(parts[1]);
    const lifetime = Number(exp) - Number(iat);
    const validAtOnce = nbf === iat;
    const rest = JSON.stringify(claims, (key, item: unknown) => (key === 'uid' ? '<uid>' : item));
    return JSON.stringify({ alg, lifetime, validAtOnce, jti: typeof jti, rest });
  } catch {
    return undefined;
  }
}

function matches(pattern: RegExp): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && pattern.test(value);
}

/** By the last step of the path that is not an index. */
const rules: Readonly<Record<string, VolatileRule>> = {
  uid,
  creationTimestamp: time,
  deletionTimestamp: time,
  time,
  lastTransitionTime: time,
  lastUpdateTime: time,
  expirationTimestamp: time,
  continue: text,
  clusterIP: address,
  clusterIPs: address,
  nodePort: port,
  healthCheckNodePort: port,
  etag: entityTag,
  location: hashedAddress,
  serverRelativeURL: hashedAddress,
  'last-modified': date,
  expires: date,
  encodedBytes,
  token,
};

/**
 * Compares two values at a volatile path: they may differ, but not in type or in what their
 * equality or shape means. Returns what was expected, or undefined.
 */
export function compareVolatile(
  steps: readonly string[],
  recorded: unknown,
  own: unknown,
  identities: Identities,
): string | undefined {
  if (recorded === undefined || own === undefined || typeof recorded !== typeof own) {
    return recorded === own ? undefined : 'present in both or in neither';
  }
  if ((recorded === null) !== (own === null)) return 'null in both or in neither';
  if ((recorded === '') !== (own === '')) return 'empty in both or in neither';
  const key = steps.findLast((step) => !/^\d+$/.test(step)) ?? '';
  return getKey(rules, key)?.(recorded, own, identities);
}
