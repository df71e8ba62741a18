import { type Clock, sleep, withDeadline } from 'client-ts/internal';
import type { Transport, TransportRequest } from 'client-ts/transport';
import { exchange as send } from '../http/exchange.ts';
import { type Answer, answerOf } from './answer.ts';
import { Comparer } from './compare.ts';
import type { Difference } from './difference.ts';
import { fillRequest, MissingReferenceError } from './fill.ts';
import type { RecordedExchange, Recording } from './format.ts';
import { isNotYet, pauseAfter } from './pauses.ts';
import { valueAt } from '../json/pointer.ts';
import type { ProtobufDecoder } from './protobuf.ts';
import type { ReplayTarget } from './targets.ts';
import { WatchCapture } from './watch-capture.ts';

/** The outcome of one exchange. */
export interface Outcome {
  readonly exchange: RecordedExchange;
  readonly result: 'failed' | 'passed' | 'skipped';
  /** The request as sent, if it could be built. */
  readonly request?: TransportRequest;
  readonly differences: readonly Difference[];
  /** Why it was skipped, or why there is no response. */
  readonly reason?: string;
}

export interface ReplayOptions {
  readonly clock: Clock;
  readonly decode: ProtobufDecoder;
}

/** No recorded response took longer, except watches. */
const ANSWER_TIMEOUT_MS = 30_000;
/** A frame that a write causes arrives within this time, or not at all. */
const FRAME_TIMEOUT_MS = 4_000;
/** How long a finished watch is kept open to detect extra frames. */
const SURPLUS_MS = 150;
/** How much longer than recorded a stream may stay open. */
const END_SLACK_MS = 5_000;
const RETRY_MS = 1_000;
const MAX_RETRIES = 10;

/** Sends every exchange of a recording, in order, and compares the responses. */
export async function replay(
  recording: Recording,
  target: ReplayTarget,
  options: ReplayOptions,
): Promise<Outcome[]> {
  return new Replay(recording, target, options).run();
}

interface OpenWatch {
  readonly exchange: RecordedExchange;
  readonly request: TransportRequest;
  readonly capture: WatchCapture;
}

class Replay {
  readonly #recording: Recording;
  readonly #target: ReplayTarget;
  readonly #clock: Clock;
  readonly #comparer: Comparer;
  readonly #answers = new Map<string, Answer>();
  readonly #outcomes = new Map<string, Outcome>();
  #open: OpenWatch[] = [];
  #lastSent = '';
  #needsCompaction = false;

  constructor(recording: Recording, target: ReplayTarget, { clock, decode }: ReplayOptions) {
    this.#recording = recording;
    this.#target = target;
    this.#clock = clock;
    this.#comparer = new Comparer(recording, { now: clock.now(), decode });
  }

  async run(): Promise<Outcome[]> {
    // The recorded server was not new: its first versions were compacted long before.
    await this.#target.compact?.();
    for (const exchange of this.#recording.exchanges) {
      if (saysCompacted(exchange)) {
        if (this.#target.compact === undefined) this.#needsCompaction = true;
        else await this.#target.compact();
      }
      if (this.#needsCompaction) {
        this.#skip(exchange, 'needs compaction of the store, which this target does not offer');
        continue;
      }
      await this.#step(exchange);
    }
    await Promise.all(this.#open.map((watch) => this.#finish(watch)));
    return this.#recording.exchanges.map(({ id }) => this.#outcomes.get(id) as Outcome);
  }

  async #step(exchange: RecordedExchange): Promise<void> {
    let request: TransportRequest;
    try {
      request = fillRequest(this.#recording, exchange, this.#answers);
    } catch (error) {
      if (!(error instanceof MissingReferenceError)) throw error;
      this.#fail(exchange, undefined, error);
      return;
    }
    this.#lastSent = exchange.id;
    const transport = this.#transportFor(exchange);
    try {
      if (exchange.response.events !== undefined) {
        const capture = await this.#answerInTime(request, (limited) =>
          WatchCapture.open(transport, limited, {
            clock: this.#clock,
            lastSent: () => this.#lastSent,
          }),
        );
        this.#open.push({ exchange, request, capture });
      } else {
        const answer = await this.#ask(exchange, request, transport);
        this.#judge(exchange, request, answer);
        await pauseAfter(exchange, request, answer, {
          admin: this.#target.admin,
          clock: this.#clock,
        });
      }
    } catch (error) {
      this.#fail(exchange, request, error);
    }
    await this.#followWatches(exchange);
  }

  #transportFor({ request }: RecordedExchange): Transport {
    const own = request.anonymous === true || request.headers['authorization'] !== undefined;
    return own ? this.#target.anonymous : this.#target.admin;
  }

  async #ask(
    exchange: RecordedExchange,
    request: TransportRequest,
    transport: Transport,
  ): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
      const answer = await this.#answerInTime(request, async (limited) =>
        answerOf(await send(transport, limited)),
      );
      if (attempt === MAX_RETRIES || !isNotYet(exchange, answer)) return answer;
      await sleep(this.#clock, RETRY_MS);
    }
  }

  async #answerInTime<T>(
    request: TransportRequest,
    work: (request: TransportRequest) => Promise<T>,
  ): Promise<T> {
    using limited = withDeadline(undefined, {
      clock: this.#clock,
      timeoutMs: ANSWER_TIMEOUT_MS,
      background: false,
      reason: () => new Error(`no answer within ${ANSWER_TIMEOUT_MS / 1000} s`),
    });
    try {
      return await work({ ...request, signal: limited.signal });
    } catch (error) {
      throw limited.signal.aborted ? limited.signal.reason : error;
    }
  }

  /** Lets every open watch catch up with what was sent, and closes those that are over. */
  async #followWatches(sent: RecordedExchange): Promise<void> {
    const ids = this.#recording.exchanges.map(({ id }) => id);
    const position = ids.indexOf(sent.id);
    for (const { exchange, capture } of this.#open) {
      const due = (exchange.response.events ?? []).filter(
        ({ after }) => after !== undefined && ids.indexOf(after) <= position,
      );
      await capture.waitForEvents(due.length, FRAME_TIMEOUT_MS);
    }
    const over = this.#open.filter(
      ({ exchange }) =>
        !isBackground(exchange) && (exchange.during?.at(-1) ?? exchange.id) === sent.id,
    );
    this.#open = this.#open.filter((watch) => !over.includes(watch));
    await Promise.all(over.map((watch) => this.#finish(watch)));
  }

  async #finish({ exchange, request, capture }: OpenWatch): Promise<void> {
    const { closedBy, closedAfterMs = 0, events = [] } = exchange.response;
    if (closedBy === 'server') {
      await capture.waitForEnd(closedAfterMs + END_SLACK_MS);
    } else {
      await capture.waitForEvents(events.length, Math.max(FRAME_TIMEOUT_MS, closedAfterMs));
      await sleep(this.#clock, SURPLUS_MS);
    }
    this.#judge(exchange, request, await capture.close());
  }

  #judge(exchange: RecordedExchange, request: TransportRequest, answer: Answer): void {
    const pinned = this.#pinnedVersions(exchange);
    this.#answers.set(exchange.id, answer);
    const differences = this.#comparer.compare(exchange, answer, pinned);
    const result = differences.length === 0 ? 'passed' : 'failed';
    this.#outcomes.set(exchange.id, { exchange, result, request, differences });
  }

  /**
   * Returns list versions that the request determines: a page keeps the version of the first page,
   * and `Exact` means that version.
   */
  #pinnedVersions(exchange: RecordedExchange): Map<string, string> {
    const pinned = new Map<string, string>();
    const { path, refs = [] } = exchange.request;
    const exact = path.includes('resourceVersionMatch=Exact') || /[?&]limit=/.test(path);
    for (const ref of refs) {
      if (ref.at !== '/path') continue;
      const continued = ref.pointer === '/metadata/continue';
      if (!continued && !exact) continue;
      const from = this.#recording.exchanges.find(({ id }) => id === ref.from);
      const pointer = '/metadata/resourceVersion';
      const recorded = valueAt(from?.response.body, pointer) ?? (continued ? undefined : ref.value);
      const own = valueAt(this.#answers.get(ref.from)?.body, pointer);
      if (typeof recorded === 'string' && typeof own === 'string') pinned.set(recorded, own);
    }
    return pinned;
  }

  #skip(exchange: RecordedExchange, reason: string): void {
    this.#outcomes.set(exchange.id, { exchange, result: 'skipped', differences: [], reason });
  }

  #fail(exchange: RecordedExchange, request: TransportRequest | undefined, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.#outcomes.set(exchange.id, {
      exchange,
      result: 'failed',
      differences: [],
      reason,
      ...(request !== undefined && { request }),
    });
  }
}

function saysCompacted(exchange: RecordedExchange): boolean {
  return valueAt(exchange.response.body, '/note') === 'everything before now is compacted';
}

/** Watches for bookmarks were left open while the rest of their group was recorded. */
function isBackground({ response, bookmarksVary, during }: RecordedExchange): boolean {
  return response.events !== undefined && bookmarksVary === true && during === undefined;
}
