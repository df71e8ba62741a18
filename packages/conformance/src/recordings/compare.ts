import { getKey, type JsonValue } from 'client-ts/internal';

import type { Answer } from './answer.ts';
import { compareEvents } from './compare-events.ts';
import type { Difference } from './difference.ts';
import { isBase64, type RecordedExchange, type RecordedHeaders, type Recording } from './format.ts';
import { fromTwin, isLeftOut } from './left-out.ts';
import type { ProtobufDecoder } from './protobuf.ts';
import { reduceLike } from './reduce.ts';
import { ValueComparer } from './value-comparer.ts';

/** The response headers that matter to clients; all others may differ. */
const COMPARED_HEADERS = [
  'cache-control',
  'connection',
  'content-encoding',
  'content-type',
  'etag',
  'expires',
  'last-modified',
  'location',
  'retry-after',
  'sec-websocket-accept',
  'sec-websocket-protocol',
  'upgrade',
  'vary',
  'warning',
  'x-content-type-options',
];

const BODY = ['response', 'body'];

/** Begins warnings of the embedded server about itself, which no other server has. */
const OWN_WARNING = '299 - "not enforced: ';

function warningsOf(header: string | readonly string[] | undefined): string[] | undefined {
  const warnings = [header ?? []].flat().filter((text) => !text.startsWith(OWN_WARNING));
  return warnings.length === 0 ? undefined : warnings;
}

/** Compares the responses of one run with a recording, in the order of the exchanges. */
export class Comparer {
  readonly #recording: Recording;
  readonly #decode: ProtobufDecoder;
  readonly #values: ValueComparer;

  constructor(recording: Recording, options: { now: number; decode: ProtobufDecoder }) {
    this.#recording = recording;
    this.#decode = options.decode;
    this.#values = new ValueComparer(recording, options.now);
  }

  /**
   * Returns all differences between `answer` and the recorded response. `pinned` maps the list
   * versions that the request itself asked for: recorded value to own value.
   */
  compare(
    exchange: RecordedExchange,
    answer: Answer,
    pinned: ReadonlyMap<string, string> = new Map(),
  ): Difference[] {
    this.#values.begin(exchange, pinned);
    const { response } = exchange;
    this.#values.compare(['response', 'status'], response.status, answer.status);
    this.#compareHeaders(response.headers, answer);
    if (response.events === undefined) this.#compareBody(exchange, answer);
    else compareEvents(this.#values, this.#decode, exchange, answer);
    return this.#values.end();
  }

  /**
   * Returns all differences between the body of `answer` and the recorded one. Unknown paths and
   * schemas of an OpenAPI document in protobuf are ignored.
   */
  compareBody(
    exchange: RecordedExchange,
    answer: Answer,
    isKnown: (name: string) => boolean,
  ): Difference[] {
    this.#values.begin(exchange, new Map());
    this.#compareBody(exchange, answer, isKnown);
    return this.#values.end();
  }

  #compareHeaders(recorded: RecordedHeaders, answer: Answer): void {
    for (const name of COMPARED_HEADERS) {
      // A keep-alive server may always send it; it only matters for an upgrade.
      if (name === 'connection' && recorded['upgrade'] === undefined) continue;
      const expected = getKey(recorded, name);
      const got = getKey(answer.headers, name);
      this.#values.compare(
        ['response', 'headers', name],
        name === 'warning' ? expected : single(expected),
        name === 'warning' ? warningsOf(got) : single(got),
      );
    }
  }

  #compareBody(
    exchange: RecordedExchange,
    answer: Answer,
    isKnown?: (name: string) => boolean,
  ): void {
    const recorded = exchange.response.body;
    if (isLeftOut(exchange)) {
      this.#values.compare(BODY, ...fromTwin(this.#recording, exchange, answer, isKnown));
    } else if (exchange.response.trimmed === true) {
      this.#values.compare(BODY, recorded, reduceLike(recorded, answer));
    } else if (isBase64(recorded)) {
      this.#compareProtobuf(exchange, Buffer.from(recorded.base64, 'base64'), answer.bytes);
    } else if (typeof recorded === 'string') {
      // Recorded as text because the text matters: key order, indentation, line ends.
      this.#values.compare(BODY, recorded, Buffer.from(answer.bytes).toString('utf8'));
    } else {
      this.#values.compare(BODY, recorded, answer.body);
    }
  }

  /** Protobuf is compared by content, not by bytes. */
  #compareProtobuf(exchange: RecordedExchange, recorded: Uint8Array, own: Uint8Array): void {
    const { path } = exchange.request;
    const expected = this.#decode.object(recorded, path);
    let got: JsonValue;
    try {
      got = this.#decode.object(own, path);
    } catch (error) {
      this.#values.report({
        path: '/response/body',
        expected,
        got: Buffer.from(own).toString('latin1'),
        wanted: `protobuf (${error instanceof Error ? error.message : String(error)})`,
      });
      return;
    }
    this.#values.compare(BODY, expected, got);
  }
}

function single(value: string | readonly string[] | undefined): string | string[] | undefined {
  if (value === undefined || typeof value === 'string') return value;
  return value.length === 1 ? value[0] : [...value];
}
