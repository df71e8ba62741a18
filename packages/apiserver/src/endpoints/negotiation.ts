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

export const JSON_REPRESENTATION: Representation = { encoding: 'json', pretty: false };

export const MEDIA_TYPE: Readonly<Record<Encoding, string>> = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
};

const STREAM_SUFFIX = ';stream=watch';
const ENCODING_OF: ReadonlyMap<string, Encoding> = new Map(
  Object.entries(MEDIA_TYPE).map(([encoding, type]) => [type, encoding as Encoding]),
);

export interface NegotiationOptions {
  /** Custom resources have no protobuf; discovery documents may have no YAML. */
  readonly encodings?: readonly Encoding[];
  readonly projections?: readonly Projection[];
  /** The request is a watch: YAML is not possible. */
  readonly stream?: boolean;
  /** The endpoint can be watched, which shows in the text of a 406. */
  readonly watchable?: boolean;
  /** Every refusal is the short one of the web layer, as at `/version`. */
  readonly refusesPlainly?: boolean;
  readonly accept: string;
  readonly pretty: string | null;
  readonly userAgent: string;
}

const ALL_ENCODINGS: readonly Encoding[] = ['json', 'yaml', 'protobuf'];

/** Chooses the representation that the client likes best; throws the server's 406 if none fits. */
export function negotiate(options: NegotiationOptions): Representation {
  const encodings = options.encodings ?? ALL_ENCODINGS;
  const clauses = parseAccept(options.accept);
  for (const clause of clauses) {
    const representation = match(clause, encodings, options);
    if (representation !== undefined) return representation;
  }
  // A media type that is known in a form that is not: another part of a real server refuses that.
  const isKnown = clauses.some(({ type }) => type === '*/*' || ENCODING_OF.has(type));
  if (!isKnown || options.refusesPlainly === true) {
    throw notAcceptable(encodings, options.watchable ?? false);
  }
  const isBadStream = options.stream === true && clauses.every(({ type }) => type === MEDIA_TYPE.yaml);
  throw newNotAcceptable(
    isBadStream ? streamTypes(encodings) : encodings.map((encoding) => MEDIA_TYPE[encoding]),
  );
}

function streamTypes(encodings: readonly Encoding[]): string[] {
  return encodings
    .filter((encoding) => encoding !== 'yaml')
    .map((encoding) => `${MEDIA_TYPE[encoding]}${STREAM_SUFFIX}`);
}

/** The encoding that an error is written in: the preferred one the client knows, else JSON. */
export function negotiateError(accept: string, pretty: string | null, userAgent: string): Representation {
  for (const clause of parseAccept(accept)) {
    const representation = match(clause, ALL_ENCODINGS, { accept, pretty, userAgent });
    if (representation !== undefined) return withoutProjection(representation);
  }
  return { encoding: 'json', pretty: wantsPretty(new Map(), pretty, userAgent) };
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

export function notAcceptable(encodings: readonly Encoding[], watchable: boolean): ApiError {
  const types = encodings.map((encoding) => MEDIA_TYPE[encoding]);
  if (watchable) types.push(...streamTypes(encodings));
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `406: Not Acceptable\n\nAvailable representations: ${types.join(', ')}`,
    reason: 'NotAcceptable',
    details: {},
    code: 406,
  });
}

interface AcceptClause {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

function parseAccept(header: string): readonly AcceptClause[] {
  const clauses: (AcceptClause & { quality: number })[] = [];
  for (const part of (header.trim() === '' ? '*/*' : header).split(',')) {
    const [type = '', ...rest] = part.split(';');
    const parameters = new Map<string, string>();
    for (const parameter of rest) {
      const equals = parameter.indexOf('=');
      if (equals === -1) continue;
      parameters.set(parameter.slice(0, equals).trim(), parameter.slice(equals + 1).trim());
    }
    const quality = parameters.has('q') ? Number(parameters.get('q')) : 1;
    clauses.push({ type: type.trim().toLowerCase(), parameters, quality });
  }
  return clauses.sort((left, right) => right.quality - left.quality);
}

function match(
  { type, parameters }: AcceptClause,
  encodings: readonly Encoding[],
  options: NegotiationOptions,
): Representation | undefined {
  const encoding = type === '*/*' ? encodings[0] : ENCODING_OF.get(type);
  if (encoding === undefined || !encodings.includes(encoding)) return undefined;
  if (options.stream === true && encoding === 'yaml') return undefined;
  const pretty = encoding === 'json' && wantsPretty(parameters, options.pretty, options.userAgent);
  const as = parameters.get('as');
  if (as === undefined) return { encoding, pretty };
  const projection = options.projections?.find((known) => known === as);
  const version = parameters.get('v');
  const known = parameters.get('g') === 'meta.k8s.io' && (version === 'v1' || version === 'v1beta1');
  if (projection === undefined || !known) return undefined;
  // Tables are made of JSON values and have no protobuf form.
  if (projection === 'Table' && encoding === 'protobuf') return undefined;
  return { encoding, pretty, projection, projectionVersion: version };
}

function withoutProjection({ encoding, pretty }: Representation): Representation {
  return { encoding, pretty };
}

/** People who look with a browser or curl get indented JSON without asking. */
function wantsPretty(
  parameters: ReadonlyMap<string, string>,
  query: string | null,
  userAgent: string,
): boolean {
  if (query !== null) return isTrue(query);
  if (parameters.has('pretty')) return isTrue(parameters.get('pretty') ?? '');
  return /^(curl|Wget|Mozilla\/5\.0)/.test(userAgent);
}

/** Booleans of the query are true for anything but these. */
export function isTrue(value: string | null): boolean {
  return value !== null && value !== 'false' && value !== '0';
}
