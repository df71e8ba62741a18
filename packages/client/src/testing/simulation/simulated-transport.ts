import { onAbort } from '../../lib/signal.ts';
import type { ApiError } from '../../meta/api-error.ts';
import {
  newConflict,
  newInternalError,
  newInvalid,
  newServiceUnavailable,
  newTimeoutError,
  newTooManyRequests,
} from '../../meta/error-factories.ts';
import type { Transport, TransportRequest, TransportResponse } from '../../transport/transport.ts';
import type { Conditions, RequestFate } from './conditions.ts';
import { between, type PlannedFault } from './fault.ts';
import type { History, SimulatedRequest } from './history.ts';
import {
  describeTarget,
  isHousekeeping,
  isWrite,
  type RequestTarget,
  requestTarget,
} from './request-target.ts';
import { SimulatedBody } from './simulated-body.ts';
import type { SimulationServer } from './simulation-server.ts';
import type { StepOwner, Timeline } from './timeline.ts';

/** The process at the client's end of a {@link SimulatedTransport}. */
export interface ConnectedProcess extends StepOwner {
  readonly identity: string;
  readonly isController: boolean;
  /** The process ends here and now. */
  crash(fault: PlannedFault | undefined): void;
}

/** What a {@link SimulatedTransport} is made of. */
export interface SimulatedTransportOptions {
  readonly process: ConnectedProcess;
  readonly timeline: Timeline;
  readonly server: SimulationServer;
  readonly history: History;
  readonly conditions: Conditions;
  /** Returns a number in [0, 1) that follows from the seed and the purpose. */
  readonly draw: (purpose: string) => number;
}

/** The usual time of a request to the server, and of an answer or an event back. */
const LATENCY_MS = [1, 5] as const;

/** One request in flight. */
interface Call {
  readonly request: TransportRequest;
  readonly target: RequestTarget;
  readonly sent: SimulatedRequest;
  readonly closing: AbortController;
  readonly resolve: (response: TransportResponse) => void;
  readonly reject: (error: unknown) => void;
  /** Of a watch that was answered. */
  body: WatchBody | undefined;
}

/** The answer of the server, read to its end. */
interface Answer {
  readonly status: number;
  readonly headers: TransportResponse['headers'];
  readonly bytes: Uint8Array;
}

/**
 * The connection of one process to the server. Each request, each answer and each watch event is a
 * step of the timeline, at a time that the seed and the faults decide.
 */
export class SimulatedTransport implements Transport {
  readonly #options: SimulatedTransportOptions;
  readonly #inner: Transport;
  readonly #draws: Draws;
  readonly #calls = new Set<Call>();
  /** Requests that were sent into a partition. */
  #unanswered: Call[] = [];

  constructor(options: SimulatedTransportOptions) {
    this.#options = options;
    this.#inner = options.server.transport();
    this.#draws = new Draws(options.draw);
  }

  request(request: TransportRequest): Promise<TransportResponse> {
    const { process, timeline, server, history } = this.#options;
    const { method, path, body } = request;
    const target = requestTarget(method, path);
    return new Promise((resolve, reject) => {
      if (request.signal?.aborted === true) {
        reject(request.signal.reason as Error);
        return;
      }
      if (!process.isAlive) return;
      const sent: SimulatedRequest = {
        ...target,
        process: process.identity,
        isController: process.isController,
        sentAtMs: history.nowMs,
        sentAtRevision: server.revision,
      };
      const closing = new AbortController();
      const call: Call = { request, target, sent, closing, resolve, reject, body: undefined };
      this.#calls.add(call);
      onAbort(request.signal, () => this.#abort(call, request.signal?.reason));
      const content = body === undefined ? '' : Buffer.from(body).toString('latin1');
      timeline.arrive(`${process.identity} ${method} ${path} ${content}`, () => this.#send(call));
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  /** All connections break: requests in flight fail, and what was not delivered is lost. */
  break(): void {
    for (const call of this.#calls) this.#fail(call, connectionReset());
  }

  /** Watch events that were held back are delivered; requests arrive, or their connections break. */
  release(): void {
    for (const { body } of this.#calls) body?.release();
    const unanswered = this.#unanswered;
    this.#unanswered = [];
    for (const call of unanswered) {
      const isLost = this.#draws.next(`fate of ${describeTarget(call.target)}`) < 0.5;
      this.#later(call, () =>
        isLost ? this.#fail(call, connectionReset()) : this.#handle(call, 'pass'),
      );
    }
  }

  /** The process has ended: the server sees closed connections, and nothing is answered. */
  close(): void {
    const calls = [...this.#calls];
    this.#calls.clear();
    for (const { target, closing, body } of calls) {
      body?.stop();
      // A write that was sent cannot be recalled.
      if (!isWrite(target)) closing.abort(connectionReset());
    }
  }

  #send(call: Call): void {
    const { history, conditions } = this.#options;
    const { target, sent } = call;
    if (!this.#calls.has(call) && !isWrite(target)) return;
    history.requests.push(sent);
    const fate = conditions.fateOf(target);
    const isQuiet = fate === 'pass' && (!isWrite(target) || isHousekeeping(target));
    const words = fate === 'pass' ? '' : ` (${describeFate(fate)})`;
    history.note(sent.process, `${describeTarget(target)}${words}`, isQuiet);
    if (fate === 'unanswered') {
      this.#unanswered.push(call);
      return;
    }
    if (fate === 'break-before')
      return this.#later(call, () => this.#fail(call, connectionReset()));
    if (typeof fate === 'object' && !fate.takesEffect) {
      return this.#later(call, () => this.#answer(call, failure(fate.code, target)));
    }
    const isStale = conditions.behindMs > 0 && target.query.get('sendInitialEvents') === 'true';
    if (isStale) return this.#later(call, () => this.#answer(call, noStreamedLists(target)));
    this.#later(call, () => this.#handle(call, fate), false);
  }

  /** Runs a step after the usual latency; it belongs to the process unless it is the server's. */
  #later({ target }: Call, run: () => void, isOwn = true): void {
    const { timeline, process } = this.#options;
    const latencyMs = this.#draws.latencyMs(describeTarget(target));
    timeline.schedule(latencyMs, run, isOwn ? process : undefined);
  }

  #handle(call: Call, fate: RequestFate): void {
    const { history, timeline, process } = this.#options;
    const { request, sent, closing, target } = call;
    if (!this.#calls.has(call) && !isWrite(target)) return;
    history.handle(sent);
    const headers = { ...request.headers, accept: jsonOnly(request.headers['accept']) };
    const path = this.#servedPath(call);
    const forwarded = { ...request, path, headers, signal: closing.signal };
    const key = `${process.identity} answer ${request.method} ${request.path}`;
    this.#inner.request(forwarded).then(
      async (response) => {
        if (target.verb === 'watch' && response.status === 200) {
          timeline.arrive(key, () => this.#answerWatch(call, response));
          return;
        }
        const answer = await readAnswer(response);
        timeline.arrive(key, () => this.#handled(call, answer, fate));
      },
      (error: unknown) => timeline.arrive(key, () => this.#fail(call, error)),
    );
  }

  /** Returns the path of the request, for a server whose cache is behind with an older version. */
  #servedPath({ request, target }: Call): string {
    const { conditions, history } = this.#options;
    const { behindMs } = conditions;
    const { verb, query } = target;
    if (behindMs === 0 || verb !== 'list' || query.get('resourceVersion') !== '0') {
      return request.path;
    }
    const revision = history.revisionAt(history.nowMs - behindMs);
    if (revision === undefined) return request.path;
    const parameters = new URLSearchParams(query);
    parameters.set('resourceVersion', String(revision));
    parameters.set('resourceVersionMatch', 'Exact');
    return `${request.path.split('?')[0]}?${parameters.toString()}`;
  }

  #handled(call: Call, answer: Answer, fate: RequestFate): void {
    const { history, conditions, process } = this.#options;
    const { target, sent } = call;
    history.handle(undefined);
    const isQuiet = !isWrite(target) || isHousekeeping(target);
    history.note(
      'server',
      `${answer.status} for ${sent.process}: ${describeTarget(target)}`,
      isQuiet,
    );
    if (fate === 'crash-after' && process.isAlive) {
      process.crash(conditions.takeCrash());
      return;
    }
    this.#later(call, () => {
      if (fate === 'break-after') this.#fail(call, connectionReset());
      else if (typeof fate === 'object') this.#answer(call, failure(fate.code, target));
      else this.#answer(call, answer);
    });
  }

  #answer(call: Call, { status, headers, bytes }: Answer): void {
    const { timeline, conditions, process } = this.#options;
    timeline.schedule(
      conditions.answerDelayMs,
      () => {
        if (!this.#calls.delete(call)) return;
        const body = new SimulatedBody(() => undefined);
        if (bytes.length > 0) body.deliver(bytes);
        body.end({});
        call.resolve({ status, headers, body });
      },
      process,
    );
  }

  #answerWatch(call: Call, { status, headers, body }: TransportResponse): void {
    if (!this.#calls.has(call)) return;
    this.#options.history.handle(undefined);
    const watch = new WatchBody(this.#options, this.#draws, call.sent, () => this.#leave(call));
    call.body = watch;
    watch.later(() => call.resolve({ status, headers, body: watch.body }));
    void watch.pump(body, () => this.#calls.delete(call));
  }

  /** The reader of a watch has stopped. */
  #leave(call: Call): void {
    this.#calls.delete(call);
    call.closing.abort();
  }

  #abort(call: Call, reason: unknown): void {
    if (!this.#calls.delete(call)) return;
    call.body?.fail(reason);
    // A write that was sent cannot be recalled.
    if (!isWrite(call.target)) call.closing.abort(reason);
    call.reject(reason);
  }

  #fail(call: Call, error: unknown): void {
    if (!this.#calls.delete(call)) return;
    call.body?.fail(error);
    if (!isWrite(call.target)) call.closing.abort(error);
    call.reject(error);
  }
}

/**
 * The draws of a connection. Each purpose has its own sequence, so that another request before it
 * changes nothing: smaller histories stay alike.
 */
class Draws {
  readonly #draw: (purpose: string) => number;
  readonly #counts = new Map<string, number>();

  constructor(draw: (purpose: string) => number) {
    this.#draw = draw;
  }

  next(purpose: string): number {
    const count = this.#counts.get(purpose) ?? 0;
    this.#counts.set(purpose, count + 1);
    return this.#draw(`${purpose} ${count}`);
  }

  latencyMs(what: string): number {
    return between({ next: () => this.next(what) }, LATENCY_MS);
  }
}

/** Delivers the events of a watch one by one. */
class WatchBody {
  readonly body: SimulatedBody;
  readonly #options: SimulatedTransportOptions;
  readonly #draws: Draws;
  readonly #request: SimulatedRequest;
  #count = 0;
  /** Events of one watch arrive in order. */
  #lastDueMs = 0;
  #held: (() => void)[] = [];

  constructor(
    options: SimulatedTransportOptions,
    draws: Draws,
    request: SimulatedRequest,
    onLeave: () => void,
  ) {
    this.#options = options;
    this.#draws = draws;
    this.#request = request;
    this.body = new SimulatedBody(onLeave);
  }

  /** Delivers the frames of the server one by one, and its end. */
  async pump(source: AsyncIterable<Uint8Array>, onEnd: () => void): Promise<void> {
    let end: { readonly error?: unknown } = {};
    try {
      for await (const chunk of source) {
        for (const frame of framesOf(chunk)) {
          this.later(() => {
            if (!this.body.isOpen) return;
            this.#note(frame);
            this.body.deliver(Buffer.from(`${frame}\n`));
          });
        }
      }
    } catch (error) {
      end = { error };
    }
    this.later(() => {
      onEnd();
      this.body.end(end);
    });
  }

  release(): void {
    const held = this.#held;
    this.#held = [];
    for (const deliver of held) deliver();
  }

  fail(error: unknown): void {
    this.#held = [];
    this.body.end({ error });
  }

  /** Delivers nothing more, and does not end either. */
  stop(): void {
    this.#held = [];
  }

  /** Delivers something after everything before it. */
  later(deliver: () => void): void {
    const { timeline, process, conditions } = this.#options;
    const { resource, process: identity } = this.#request;
    this.#count += 1;
    const order = String(this.#count).padStart(6, '0');
    const watch = `${resource} ${this.#request.query.toString()}`;
    timeline.arrive(`${identity} event ${watch} ${order}`, () => {
      const delayMs = this.#draws.latencyMs(resource) + conditions.eventDelayMs(resource);
      this.#lastDueMs = Math.max(this.#lastDueMs, timeline.nowMs + delayMs);
      const arrive = (): void => {
        if (conditions.holdsEvents || this.#held.length > 0) this.#held.push(deliver);
        else deliver();
      };
      timeline.schedule(this.#lastDueMs - timeline.nowMs, arrive, process);
    });
  }

  #note(frame: string): void {
    const { type, object } = JSON.parse(frame) as {
      readonly type: string;
      readonly object: { readonly metadata?: Readonly<Record<string, string>> };
    };
    const { namespace = '', name = '', resourceVersion = '' } = object.metadata ?? {};
    const { resource, process } = this.#request;
    const place = namespace === '' ? name : `${namespace}/${name}`;
    const isQuiet = type === 'BOOKMARK' || isHousekeeping(this.#request);
    const { history } = this.#options;
    history.note(process, `sees ${type} ${resource} ${place} @${resourceVersion}`, isQuiet);
  }
}

/** Returns an `accept` header without protobuf, because events are delivered one by one and printed. */
function jsonOnly(accept: TransportRequest['headers'][string]): string {
  const types = String(accept ?? 'application/json').split(',');
  const kept = types.filter((type) => !type.includes('protobuf'));
  return kept.length === 0 ? 'application/json' : kept.join(',');
}

function framesOf(chunk: Uint8Array): string[] {
  return Buffer.from(chunk)
    .toString()
    .split('\n')
    .filter((frame) => frame !== '');
}

async function readAnswer({ status, headers, body }: TransportResponse): Promise<Answer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return { status, headers, bytes: Buffer.concat(chunks) };
}

function describeFate(fate: Exclude<RequestFate, 'pass'>): string {
  if (typeof fate === 'object') return `${fate.code}${fate.takesEffect ? ' although stored' : ''}`;
  return {
    'break-after': 'the answer is lost',
    'break-before': 'the connection breaks',
    'crash-after': 'the process will crash before the answer',
    unanswered: 'no answer',
  }[fate];
}

function connectionReset(): Error {
  return Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
}

function failure(code: number, target: RequestTarget): Answer {
  return statusAnswer(errorOf(code, target));
}

function errorOf(code: number, target: RequestTarget): ApiError {
  switch (code) {
    case 409:
      return newConflict(target, target.name, 'the object has been modified');
    case 429:
      return newTooManyRequests('too many requests', 1);
    case 503:
      return newServiceUnavailable('the server is overloaded');
    case 504:
      return newTimeoutError('the request timed out', 0);
    default:
      return newInternalError('etcdserver: leader changed');
  }
}

/** The answer of a server that does not stream lists: the client lists instead. */
function noStreamedLists(target: RequestTarget): Answer {
  const kind = { group: target.group, kind: target.resource };
  const detail = 'Forbidden: sendInitialEvents is forbidden for watch';
  const causes = [{ reason: 'FieldValueForbidden', message: detail, field: 'sendInitialEvents' }];
  return statusAnswer(newInvalid(kind, '', causes));
}

function statusAnswer({ status }: ApiError): Answer {
  const { code = 500, details } = status;
  const seconds = details?.retryAfterSeconds ?? 0;
  return {
    status: code,
    headers: {
      'content-type': 'application/json',
      ...(seconds > 0 && { 'retry-after': String(seconds) }),
    },
    bytes: Buffer.from(JSON.stringify(status)),
  };
}
