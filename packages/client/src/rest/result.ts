import { inspect, type InspectOptions } from 'node:util';

import { codecFor } from '../codec/codec.ts';
import type { ReadOnlyCodec, ReadOnlyCodecs } from '../codec/lazy/read-only-codec.ts';
import { MEDIA_TYPES } from '../codec/media-types.ts';
import { ApiError, type FailedRequest } from '../meta/api-error.ts';
import { contentTypeOf, failureIn, headerOf, unreadableAnswer } from './failure.ts';
import { RestError } from './rest-error.ts';
import type { TransportResponse } from '../transport/transport.ts';
import type { Warning } from './warnings.ts';

/** A whole response, with the bytes of its body. */
export interface Answer {
  readonly response: TransportResponse;
  readonly body: Uint8Array;
  readonly warnings: readonly Warning[];
}

/** A whole successful response. */
export class Result {
  readonly #answer: Answer;
  readonly #describe: () => FailedRequest;
  #peeked: object | undefined;

  /** `describe` returns what errors say about the request. */
  constructor(answer: Answer, describe: () => FailedRequest) {
    this.#answer = answer;
    this.#describe = describe;
  }

  /** The HTTP status: 200 to 206. */
  get statusCode(): number {
    return this.#answer.response.status;
  }

  /** Undefined if the server sent none. */
  get contentType(): string | undefined {
    return contentTypeOf(this.#answer.response.headers);
  }

  /** Returns a header by its name in lower case; undefined if the response has none. */
  header(name: string): string | undefined {
    return headerOf(this.#answer.response.headers, name);
  }

  /** All warnings of the response. Those for people have also been passed to `onWarning`. */
  get warnings(): readonly Warning[] {
    return this.#answer.warnings;
  }

  /** Returns the bytes of the body. */
  raw(): Uint8Array {
    return this.#answer.body;
  }

  /** Returns the body as text: logs, `/healthz`, metrics. */
  text(): string {
    return new TextDecoder().decode(this.#answer.body);
  }

  /**
   * Returns the body as an object, decoded by its content type: JSON or protobuf. Every call returns
   * another object, the first one after {@link peek} that which it returned. The caller knows its
   * type: `T` is not checked. Throws an `ApiError` for a Status other than Success, a
   * {@link RestError} for an empty body and one that does not come from an API server, and a
   * `CodecError` for a damaged object.
   */
  into<T extends object>(): T {
    const peeked = this.#peeked;
    if (peeked !== undefined) {
      this.#peeked = undefined;
      return peeked as T;
    }
    const body = this.#nonEmpty();
    try {
      return this.#checked(codecFor(this.contentType ?? MEDIA_TYPES.json).decode<T>(body));
    } catch (error) {
      throw this.#explained(error);
    }
  }

  /**
   * Returns the object that the next call of {@link into} returns, for those who only look at it
   * before: a body is then decoded once.
   */
  peek<T extends object>(): T {
    const object = this.into<T>();
    this.#peeked = object;
    return object;
  }

  /** As {@link into}, without a type: the object as plain JSON. */
  json(): unknown {
    return this.into();
  }

  /** As {@link into}, for a list whose items shall be read-only; see `ReadOnlyCodec`. */
  async intoReadOnly<T extends object>(codecs?: ReadOnlyCodecs): Promise<T> {
    const body = this.#nonEmpty();
    try {
      const contentType = this.contentType ?? MEDIA_TYPES.json;
      const codec = codecs?.codecFor(contentType) ?? (await wholeCodecFor(contentType));
      return this.#checked(await codec.decodeList<T>(body));
    } catch (error) {
      throw this.#explained(error);
    }
  }

  static {
    Object.defineProperty(this.prototype, inspect.custom, {
      value(this: Result, _depth: number, options: InspectOptions): string {
        return this.#inspected(options);
      },
    });
  }

  /** What `console.log` shows: the request and the size of the body, which may hold a secret. */
  #inspected(options: InspectOptions): string {
    const { verb, path } = this.#describe();
    const { statusCode, contentType, warnings } = this;
    const bytes = this.#answer.body.length;
    const shown = { request: `${verb} ${path}`, statusCode, contentType, bytes, warnings };
    return `Result ${inspect(shown, options)}`;
  }

  #explained(error: unknown): unknown {
    const { statusCode: status, contentType } = this;
    const { body } = this.#answer;
    return unreadableAnswer(error, { request: this.#describe(), status, contentType, body });
  }

  #nonEmpty(): Uint8Array {
    const { body } = this.#answer;
    if (body.length > 0) return body;
    const type = this.contentType ?? 'no content type';
    const request = this.#describe();
    const { verb, path, server = 'the server' } = request;
    throw new RestError(
      'REST_RESPONSE_EMPTY',
      `${verb} ${path}: ${server} answered with status ${this.statusCode}, ${type} and an empty body`,
      { request },
    );
  }

  #checked<T extends object>(object: T): T {
    const failure = failureIn(object);
    if (failure !== undefined) throw new ApiError(failure, { request: this.#describe() });
    return object;
  }
}

/** Loaded on demand: programs without informers, which bring it along, do not need it. */
async function wholeCodecFor(contentType: string): Promise<ReadOnlyCodec> {
  const { readOnlyCodecFor } = await import('../codec/lazy/read-only-codec.ts');
  return readOnlyCodecFor(contentType);
}
