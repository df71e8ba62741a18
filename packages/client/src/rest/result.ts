import { codecFor } from '../codec/codec.ts';
import { MEDIA_TYPES } from '../codec/media-types.ts';
import { ApiError, type FailedRequest } from '../meta/api-error.ts';
import type { Answer } from './engine.ts';
import { failureIn } from './failure.ts';
import { contentTypeOf, headerOf } from './headers.ts';
import { RestError } from './rest-error.ts';
import { unreadableAnswer } from './unreadable-answer.ts';
import type { Warning } from './warnings.ts';

/** A whole answer that was no refusal. */
export class Result {
  readonly #answer: Answer;
  readonly #request: FailedRequest;

  constructor(answer: Answer, request: FailedRequest) {
    this.#answer = answer;
    this.#request = request;
  }

  /** The HTTP status: 200 to 206. */
  get statusCode(): number {
    return this.#answer.response.status;
  }

  /** Undefined if the server sent none. */
  get contentType(): string | undefined {
    return contentTypeOf(this.#answer.response.headers);
  }

  /** A header of the answer by its name in lower case; undefined if it has none. */
  header(name: string): string | undefined {
    return headerOf(this.#answer.response.headers, name);
  }

  /** All warnings that came with the answer; the handler was told of those that are for people. */
  get warnings(): readonly Warning[] {
    return this.#answer.warnings;
  }

  /** The body as it came. */
  raw(): Uint8Array {
    return this.#answer.body;
  }

  /**
   * The body as an object, whatever encoding it came in. What it is, the caller knows: `T` is not
   * checked. Throws an `ApiError` for a Status that does not say Success, a {@link RestError} for an
   * empty answer and one that does not come from an API server, and a `CodecError` for an object
   * that is damaged.
   */
  into<T extends object>(): T {
    const body = this.#nonEmpty();
    try {
      return this.#checked(codecFor(this.contentType ?? MEDIA_TYPES.json).decode<T>(body));
    } catch (error) {
      throw this.#explained(error);
    }
  }

  /** {@link into} for a list whose items shall be read-only, see `ReadOnlyCodec`. */
  async intoReadOnly<T extends object>(): Promise<T> {
    const body = this.#nonEmpty();
    try {
      // Programs without informers do not load it.
      const { readOnlyCodecFor } = await import('../codec/lazy/read-only-codec.ts');
      const codec = readOnlyCodecFor(this.contentType ?? MEDIA_TYPES.json);
      return this.#checked(await codec.decodeList<T>(body));
    } catch (error) {
      throw this.#explained(error);
    }
  }

  #explained(error: unknown): unknown {
    const { statusCode: status, contentType } = this;
    const { body } = this.#answer;
    return unreadableAnswer(error, { request: this.#request, status, contentType, body });
  }

  #nonEmpty(): Uint8Array {
    const { body } = this.#answer;
    if (body.length > 0) return body;
    const type = this.contentType ?? 'no content type';
    const { verb, path, server = 'the server' } = this.#request;
    throw new RestError(
      'REST_RESPONSE_EMPTY',
      `${verb} ${path}: ${server} answered with status ${this.statusCode}, ${type} and an empty body`,
      { request: this.#request },
    );
  }

  #checked<T extends object>(object: T): T {
    const failure = failureIn(object);
    if (failure !== undefined) throw new ApiError(failure, { request: this.#request });
    return object;
  }
}
