import { ApiError, newNotAcceptable } from 'client-ts/meta';

export type Encoding = 'json' | 'protobuf' | 'yaml';

/** A requested form other than the object itself. */
export type Projection = 'PartialObjectMetadata' | 'PartialObjectMetadataList' | 'Table';

/** The format of a response. */
export interface Representation {
  readonly encoding: Encoding;
  readonly pretty: boolean;
  readonly projection?: Projection;
  /** The version of `meta.k8s.io` of the projection. */
  readonly projectionVersion?: 'v1' | 'v1beta1';
}

export const MEDIA_TYPE: Readonly<Record<Encoding, string>> = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
};

const STREAM_SUFFIX = ';stream=watch';
const ENCODING_OF: ReadonlyMap<string, Encoding> = new Map(
  Object.entries(MEDIA_TYPE).map(([encoding, type]) => [type, encoding as Encoding]),
);

/** The client's preferences for the response format. */
export interface Preferences {
  /** The `Accept` header; empty if absent. */
  readonly accept: string;
  /** The query parameter. */
  readonly pretty: string | null;
  readonly userAgent: string;
}

/** The formats that an endpoint supports. */
export interface Offer {
  /** Default: all. Some discovery documents are JSON only, custom resources have no protobuf. */
  readonly encodings?: readonly Encoding[];
  /** Default: none. Available in all encodings, except Tables, which have no protobuf form. */
  readonly projections?: readonly Projection[];
  /** The response is a watch: YAML is not possible. */
  readonly stream?: boolean;
  /** The endpoint can be watched, which shows in the message of a 406. */
  readonly watchable?: boolean;
  /**
   * Default: true. A web layer checks `Accept` first; it only knows whole media types and has its
   * own error message. Custom resources and `/apis` are not behind it.
   */
  readonly behindWebLayer?: boolean;
}

const ALL_ENCODINGS: readonly Encoding[] = ['json', 'yaml', 'protobuf'];

/** Chooses the representation that the client prefers; throws a 406 if none fits. */
export function negotiate(preferences: Preferences, offer: Offer = {}): Representation {
  const { encodings = ALL_ENCODINGS, stream = false, behindWebLayer = true } = offer;
  if (behindWebLayer) checkMediaRanges(preferences, offer);
  const representation = choose(preferences, { ...offer, encodings });
  if (representation === undefined) {
    throw newNotAcceptable(ALL_ENCODINGS.map((encoding) => MEDIA_TYPE[encoding]));
  }
  // A real server does not try the client's next choice here.
  if (stream && representation.encoding === 'yaml') throw newNotAcceptable(streamTypes());
  return representation;
}

/**
 * Returns the encoding of an error: the client's preference among the encodings of plain objects,
 * else indented JSON.
 */
export function negotiateError(preferences: Preferences): Representation {
  return choose(preferences, {}) ?? { encoding: 'json', pretty: true };
}

/** Throws the 406 of the web layer unless the client accepts one of the media types. */
export function checkMediaRanges(
  { accept }: Pick<Preferences, 'accept'>,
  { encodings = ALL_ENCODINGS, watchable = false }: Pick<Offer, 'encodings' | 'watchable'> = {},
): void {
  const types = encodings.map((encoding) => MEDIA_TYPE[encoding]);
  checkMediaTypes(accept, types, watchable ? [...types, ...streamTypes()] : types);
}

/** The same for an endpoint with its own media types; `shown` is the list in the message. */
export function checkMediaTypes(
  accept: string,
  types: readonly string[],
  shown: readonly string[] = types,
): void {
  if (accept === '') return;
  if (mediaRanges(accept).some((range) => range === '*/*' || types.includes(range))) return;
  throw new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `406: Not Acceptable\n\nAvailable representations: ${shown.join(', ')}`,
    reason: 'NotAcceptable',
    details: {},
    code: 406,
  });
}

function streamTypes(): string[] {
  return [MEDIA_TYPE.json, MEDIA_TYPE.protobuf].map((type) => `${type}${STREAM_SUFFIX}`);
}

/** Returns the content type of a response. */
export function contentType({ encoding }: Representation, stream = false): string {
  // A JSON stream is labelled like other JSON; only protobuf announces its frames.
  return stream && encoding === 'protobuf'
    ? `${MEDIA_TYPE.protobuf}${STREAM_SUFFIX}`
    : MEDIA_TYPE[encoding];
}

/** Returns the encoding of a request body; undefined for an unsupported type. */
export function bodyEncoding(
  contentTypeHeader: string,
  encodings: readonly Encoding[] = ALL_ENCODINGS,
): Encoding | undefined {
  if (contentTypeHeader === '') return 'json';
  const [type = '', ...parameters] = contentTypeHeader.split(';');
  if (parameters.some((parameter) => !/^\s*[\w-]+\s*=\s*\S+\s*$/.test(parameter))) return undefined;
  const encoding = ENCODING_OF.get(type.trim().toLowerCase());
  return encoding !== undefined && encodings.includes(encoding) ? encoding : undefined;
}

function choose(preferences: Preferences, offer: Offer): Representation | undefined {
  const clauses = parseAccept(preferences.accept === '' ? '*/*' : preferences.accept);
  for (const clause of clauses) {
    for (const encoding of ALL_ENCODINGS) {
      const representation = match(clause, encoding, preferences, offer);
      if (representation !== undefined) return representation;
    }
  }
  return undefined;
}

function match(
  { type, subtype, parameters }: AcceptClause,
  encoding: Encoding,
  preferences: Preferences,
  { encodings = ALL_ENCODINGS, projections = [] }: Offer,
): Representation | undefined {
  const [ownType, ownSubtype] = MEDIA_TYPE[encoding].split('/');
  const isWanted =
    (type === ownType || type === '*') && (subtype === ownSubtype || subtype === '*');
  if (!isWanted) return undefined;
  const stream = parameters.get('stream') ?? '';
  if (stream !== '' && (stream !== 'watch' || encoding === 'yaml')) return undefined;
  // Only resources support a server version parameter, and only v1.
  const serverVersion = parameters.get('sv') ?? '';
  if (serverVersion !== '' && (serverVersion !== 'v1' || projections.length === 0))
    return undefined;
  const pretty = encoding === 'json' && wantsPretty(parameters, preferences);
  if (!['as', 'g', 'v'].some((name) => parameters.has(name))) {
    return encodings.includes(encoding) ? { encoding, pretty } : undefined;
  }
  const version = parameters.get('v');
  const projection = projections.find((known) => known === parameters.get('as'));
  if (parameters.get('g') !== 'meta.k8s.io' || projection === undefined) return undefined;
  if (version !== 'v1' && version !== 'v1beta1') return undefined;
  if (projection === 'Table' && encoding === 'protobuf') return undefined;
  return { encoding, pretty, projection, projectionVersion: version };
}

/** Browsers and curl get indented JSON by default. */
function wantsPretty(
  parameters: ReadonlyMap<string, string>,
  { pretty, userAgent }: Preferences,
): boolean {
  if (parameters.get('pretty') === '1') return true;
  if (pretty !== null && pretty !== '') return /^(?:1|t|T|true|True|TRUE)$/.test(pretty);
  return /^(?:curl|Wget|Mozilla\/5\.0)/.test(userAgent);
}

/** One media range of an `Accept` header, with its parameters. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Go uses insertion sort up to this length, which determines the order where its comparison is not
 * transitive.
 */
const SORTED_BY_INSERTION = 12;

/** A program sends few different headers, but sends them often. */
const known = new Map<string, readonly AcceptClause[]>();
const KNOWN_HEADERS = 64;
const LONGEST_KNOWN = 512;

/** Parses an `Accept` header, most preferred first. Invalid ranges are skipped. */
export function parseAccept(header: string): readonly AcceptClause[] {
  let clauses = known.get(header);
  if (clauses === undefined) {
    clauses = sortedClauses(header);
    if (known.size < KNOWN_HEADERS && header.length <= LONGEST_KNOWN) known.set(header, clauses);
  }
  return clauses;
}

function sortedClauses(header: string): readonly AcceptClause[] {
  const clauses = header.split(',').flatMap((part) => parseClause(part) ?? []);
  if (clauses.length > SORTED_BY_INSERTION) {
    // A megabyte of clauses must not take quadratic time.
    return clauses.toSorted((left, right) =>
      comesBefore(left, right) ? -1 : comesBefore(right, left) ? 1 : 0,
    );
  }
  const sorted: AcceptClause[] = [];
  for (const clause of clauses) {
    let place = sorted.length;
    while (place > 0 && comesBefore(clause, sorted[place - 1] as AcceptClause)) place -= 1;
    sorted.splice(place, 0, clause);
  }
  return sorted;
}

/** Returns the media ranges of an `Accept` header as written, without parameters. */
export function mediaRanges(header: string): readonly string[] {
  return header.split(',').map((part) => (part.split(';', 1)[0] ?? '').trim());
}

function parseClause(text: string): AcceptClause | undefined {
  const [range = '', ...rest] = text.split(';');
  const [type = '', subtype, ...more] = range.split('/').map((word) => word.trim());
  if (more.length > 0 || (subtype === undefined && type !== '*')) return undefined;
  const parameters = new Map<string, string>();
  let quality = 1;
  for (const parameter of rest) {
    const equals = parameter.indexOf('=');
    if (equals === -1) continue;
    const name = parameter.slice(0, equals).trim();
    const value = parameter.slice(equals + 1).trim();
    if (name === 'q') quality = Number(value) || 0;
    else parameters.set(name, value);
  }
  return { type, subtype: subtype ?? '*', quality, parameters };
}

/**
 * Orders by quality, then specific types before wildcards. Applied literally, the second rule puts
 * `application/json;q=0.1` before a wildcard that follows it.
 */
function comesBefore(left: AcceptClause, right: AcceptClause): boolean {
  if (left.quality > right.quality) return true;
  if (left.type !== '*' && right.type === '*') return true;
  return left.subtype !== '*' && right.subtype === '*';
}
