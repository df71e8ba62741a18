import { ApiError, newNotAcceptable } from 'client-ts/meta';

export type Encoding = 'json' | 'protobuf' | 'yaml';

/** In which shape the object is wanted, besides its own. */
export type Projection = 'PartialObjectMetadata' | 'PartialObjectMetadataList' | 'Table';

/** How the answer is to be written. */
export interface Representation {
  readonly encoding: Encoding;
  readonly pretty: boolean;
  readonly projection?: Projection;
  /** The version of `meta.k8s.io` that was asked for with the projection. */
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

/** What a client said about the form of the answer. */
export interface Wishes {
  /** The header; empty if there is none. */
  readonly accept: string;
  /** The parameter of the query. */
  readonly pretty: string | null;
  readonly userAgent: string;
}

/** What an endpoint can do. */
export interface Offer {
  /** Default: all. Discovery has documents in JSON alone, custom resources no protobuf. */
  readonly encodings?: readonly Encoding[];
  /** Default: none. They come in all encodings, but for Tables, which have no protobuf form. */
  readonly projections?: readonly Projection[];
  /** The answer is a watch: YAML is not possible. */
  readonly stream?: boolean;
  /** The endpoint can be watched, which shows in the text of a 406. */
  readonly watchable?: boolean;
  /**
   * Default true: a web layer looks at `Accept` first. It knows whole media types only, and has its
   * own words for a refusal. Custom resources and `/apis` are not behind it.
   */
  readonly behindWebLayer?: boolean;
}

const ALL_ENCODINGS: readonly Encoding[] = ['json', 'yaml', 'protobuf'];

/** Chooses the representation that the client likes best; throws the server's 406 if none fits. */
export function negotiate(wishes: Wishes, offer: Offer = {}): Representation {
  const { encodings = ALL_ENCODINGS, stream = false, behindWebLayer = true } = offer;
  if (behindWebLayer) checkMediaRanges(wishes, offer);
  const representation = choose(wishes, { ...offer, encodings });
  if (representation === undefined) {
    throw newNotAcceptable(ALL_ENCODINGS.map((encoding) => MEDIA_TYPE[encoding]));
  }
  // Too late to look at what the client would like second best.
  if (stream && representation.encoding === 'yaml') throw newNotAcceptable(streamTypes());
  return representation;
}

/**
 * The encoding that an error is written in: the preferred one of those that the client names for
 * plain objects, else indented JSON.
 */
export function negotiateError(wishes: Wishes): Representation {
  return choose(wishes, {}) ?? { encoding: 'json', pretty: true };
}

/** Throws the 406 of the web layer unless the client names one of the media types or takes any. */
export function checkMediaRanges(
  { accept }: Pick<Wishes, 'accept'>,
  { encodings = ALL_ENCODINGS, watchable = false }: Pick<Offer, 'encodings' | 'watchable'> = {},
): void {
  const types = encodings.map((encoding) => MEDIA_TYPE[encoding]);
  checkMediaTypes(accept, types, watchable ? [...types, ...streamTypes()] : types);
}

/** The same for an endpoint with media types of its own; `shown` is what the refusal offers. */
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

/** The content type of an answer. */
export function contentType({ encoding }: Representation, stream = false): string {
  // A JSON stream is labelled like any JSON; only protobuf needs its frames to be announced.
  return stream && encoding === 'protobuf'
    ? `${MEDIA_TYPE.protobuf}${STREAM_SUFFIX}`
    : MEDIA_TYPE[encoding];
}

/** What a request body is written in; undefined for a type that the server does not read. */
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

function choose(wishes: Wishes, offer: Offer): Representation | undefined {
  const clauses = parseAccept(wishes.accept === '' ? '*/*' : wishes.accept);
  for (const clause of clauses) {
    for (const encoding of ALL_ENCODINGS) {
      const representation = match(clause, encoding, wishes, offer);
      if (representation !== undefined) return representation;
    }
  }
  return undefined;
}

function match(
  { type, subtype, parameters }: AcceptClause,
  encoding: Encoding,
  wishes: Wishes,
  { encodings = ALL_ENCODINGS, projections = [] }: Offer,
): Representation | undefined {
  const [ownType, ownSubtype] = MEDIA_TYPE[encoding].split('/');
  const isWanted =
    (type === ownType || type === '*') && (subtype === ownSubtype || subtype === '*');
  if (!isWanted) return undefined;
  const stream = parameters.get('stream') ?? '';
  if (stream !== '' && (stream !== 'watch' || encoding === 'yaml')) return undefined;
  // Only resources know about versions of the server's own types, and of one alone.
  const serverVersion = parameters.get('sv') ?? '';
  if (serverVersion !== '' && (serverVersion !== 'v1' || projections.length === 0))
    return undefined;
  const pretty = encoding === 'json' && wantsPretty(parameters, wishes);
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

/** People who look with a browser or curl get indented JSON without asking. */
function wantsPretty(
  parameters: ReadonlyMap<string, string>,
  { pretty, userAgent }: Wishes,
): boolean {
  if (parameters.get('pretty') === '1') return true;
  if (pretty !== null && pretty !== '') return /^(?:1|t|T|true|True|TRUE)$/.test(pretty);
  return /^(?:curl|Wget|Mozilla\/5\.0)/.test(userAgent);
}

/** One part of an `Accept` header: a media range with its parameters. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Go sorts up to this many by insertion, in an order that its rules do not define otherwise. */
const SORTED_BY_INSERTION = 12;

/** Reads an `Accept` header: what the client prefers comes first. What makes no sense is skipped. */
export function parseAccept(header: string): readonly AcceptClause[] {
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

/** The media ranges of an `Accept` header as they were written, without parameters. */
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
 * By quality, and what is named before what is only allowed. Taken literally, the second rule makes
 * `application/json;q=0.1` come before a wildcard that was asked for after it.
 */
function comesBefore(left: AcceptClause, right: AcceptClause): boolean {
  if (left.quality > right.quality) return true;
  if (left.type !== '*' && right.type === '*') return true;
  return left.subtype !== '*' && right.subtype === '*';
}
