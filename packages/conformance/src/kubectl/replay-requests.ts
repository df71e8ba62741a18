import { type Clock, type JsonValue, sleep, getKey } from 'client-ts/internal';
import type { Transport, TransportRequest } from 'client-ts/transport';
import { exchange, firstHeader } from '../http/exchange.ts';
import { type Answer, answerOf } from '../recordings/answer.ts';
import { Comparer } from '../recordings/compare.ts';
import type { Difference } from '../recordings/difference.ts';
import type { RecordedExchange, Recording } from '../recordings/format.ts';
import { protobufDecoder } from '../recordings/protobuf.ts';
import type { Outcome } from '../recordings/replay.ts';
import { ValueComparer } from '../recordings/value-comparer.ts';
import { WatchCapture } from '../recordings/watch-capture.ts';
import { expectedBody, partsLike, withDeleted } from './expected-body.ts';
import { otherClients } from './other-clients.ts';
import { printed } from './printed.ts';
import type {
  RecordedCommand,
  RecordedCommandRequest,
  RecordedCommands,
} from './recorded-commands.ts';
import { RunValues } from './run-values.ts';
import { isBuiltIn, twinOf, withoutCustomGroup } from './twins.ts';

export interface CommandTarget {
  readonly admin: Transport;
  readonly anonymous: Transport;
}

export interface CommandReplayOptions {
  readonly clock: Clock;
  /** The recordings with complete responses to some of the requests. */
  readonly recordings: readonly Recording[];
}

/** The group name of the outcomes. */
export const KUBECTL_GROUP = 'kubectl';

/** By command and index: a deleted CRD may be gone by the time kubectl looks. */
const VARYING = new Set(['delete-crd 3']);

/** A CRD is served, and a role effective, a moment after it is written. */
const SETTLE_MS = 50;
const MAX_TRIES = 40;

/**
 * Sends the recorded requests of kubectl, command by command, and compares each response: status,
 * content type, and as much of the body as the recordings show. Requests of other clients are sent
 * in between.
 */
export async function replayCommands(
  recorded: RecordedCommands,
  target: CommandTarget,
  options: CommandReplayOptions,
): Promise<Outcome[]> {
  const replay = new CommandReplay(recorded, target, options);
  const outcomes: Outcome[] = [];
  for (const command of recorded.commands) outcomes.push(...(await replay.run(command)));
  return outcomes;
}

class CommandReplay {
  readonly #target: CommandTarget;
  readonly #clock: Clock;
  readonly #recordings: readonly Recording[];
  readonly #values: ValueComparer;
  readonly #runValues = new RunValues();

  constructor(
    { volatile, volatileText }: RecordedCommands,
    target: CommandTarget,
    { clock, recordings }: CommandReplayOptions,
  ) {
    this.#target = target;
    this.#clock = clock;
    this.#recordings = recordings;
    const rules = { server: '', group: KUBECTL_GROUP, about: '', exchanges: [] };
    this.#values = new ValueComparer({ ...rules, volatile, volatileText }, clock.now());
  }

  async run(command: RecordedCommand): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    const bodies: JsonValue[] = [];
    for (const [index, request] of command.requests.entries()) {
      const id = `${command.id} ${index}`;
      await getKey(otherClients, id)?.(this.#target.admin, this.#clock);
      const { sent, answer } = await this.#send(command.command, request);
      const isCommon = twinOf(this.#recordings, request) !== undefined;
      if (!isCommon) bodies.push(answer.body ?? null);
      // An attempt to upgrade the connection has no recorded status.
      if (request.status === 0 || VARYING.has(id)) continue;
      const isLast = index === command.requests.length - 1;
      const differences = this.#compare(command, request, answer, isLast ? bodies : undefined);
      const result = differences.length === 0 ? 'passed' : 'failed';
      outcomes.push({
        exchange: asExchange(id, command, request),
        result,
        request: sent,
        differences,
      });
    }
    return outcomes;
  }

  /** `bodies` are all responses to the command except discovery, at its end. */
  #compare(
    command: RecordedCommand,
    request: RecordedCommandRequest,
    answer: Answer,
    bodies: readonly JsonValue[] | undefined,
  ): Difference[] {
    const values = this.#values;
    values.begin(asExchange(command.id, command, request), new Map());
    values.compare(['response', 'status'], request.status, answer.status);
    const type = firstHeader(answer.headers, 'content-type');
    values.compare(['response', 'headers', 'content-type'], request.responseType, type);
    const twin = twinOf(this.#recordings, request);
    if (twin !== undefined) {
      const comparer = new Comparer(twin.recording, {
        now: this.#clock.now(),
        decode: protobufDecoder,
      });
      const own = withoutCustomGroup(answer);
      for (const found of comparer.compareBody(twin.exchange, own, isBuiltIn)) values.report(found);
    } else {
      const expected = answer.events === undefined ? expectedBody(command, request) : undefined;
      if (expected !== undefined) {
        const body = withDeleted(request.method, bodyOf(answer, request.path));
        const own = partsLike(expected, body);
        values.compare(['response', 'body'], expected, own);
      }
    }
    const output = bodies === undefined ? undefined : printed(command, bodies);
    if (output !== undefined) values.compare(['output', output.what], output.recorded, output.own);
    return values.end();
  }

  async #send(
    command: string,
    request: RecordedCommandRequest,
  ): Promise<{ sent: TransportRequest; answer: Answer }> {
    const path = this.#runValues.inPath(request.path);
    const headers = headersOf(command, request);
    const { admin, anonymous } = this.#target;
    const transport = headers['authorization'] === undefined ? admin : anonymous;
    const body = this.#runValues.inBody(request);
    const sent = { method: request.method, path, headers, ...(body !== undefined && { body }) };
    if (path.includes('watch=true')) {
      const options = { clock: this.#clock, lastSent: () => '' };
      const watch = await WatchCapture.open(transport, sent, options);
      return { sent, answer: await watch.close() };
    }
    for (let attempt = 1; ; attempt++) {
      const response = await exchange(transport, sent);
      const again = response.status !== request.status && isYoung(response.status, path);
      if (!again || attempt === MAX_TRIES) {
        this.#runValues.note(path, Buffer.from(response.body).toString('utf8'));
        return { sent, answer: answerOf(response) };
      }
      await sleep(this.#clock, SETTLE_MS);
    }
  }
}

/** Converts a request to the form in which all recordings are reported. */
function asExchange(
  id: string,
  { command }: RecordedCommand,
  { method, path, accept, contentType, status, responseType, body }: RecordedCommandRequest,
): RecordedExchange {
  const headers = {
    ...(accept !== undefined && { accept }),
    ...(contentType !== undefined && { 'content-type': contentType }),
  };
  return {
    id,
    about: command,
    request: { method, path, headers, ...(body !== undefined && { body }) },
    response: {
      status,
      headers: responseType === undefined ? {} : { 'content-type': responseType },
    },
  };
}

function bodyOf({ body, bytes, headers }: Answer, path: string): JsonValue | undefined {
  const isProtobuf = firstHeader(headers, 'content-type')?.startsWith(
    'application/vnd.kubernetes.protobuf',
  );
  return isProtobuf === true ? protobufDecoder.object(bytes, path) : body;
}

/** True for responses of a custom resource that was just defined. */
function isYoung(status: number, path: string): boolean {
  return path.includes('/k.rec.example.com/') && (status === 404 || status === 429);
}

/** Credentials were not recorded, but the command determines them. */
function headersOf(command: string, request: RecordedCommandRequest): Record<string, string> {
  const user = / --as=(\S+)/.exec(command)?.[1];
  const token = / --token=(\S+)/.exec(command)?.[1];
  return {
    ...(request.accept !== undefined && { accept: request.accept }),
    ...(request.contentType !== undefined && { 'content-type': request.contentType }),
    ...(user !== undefined && { 'impersonate-user': user }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
}
