import { type Clock, sleep } from 'client-ts/lib';
import type { Transport, TransportHeaders } from 'client-ts/transport';
import { exchange, firstHeader } from '../http/exchange.ts';
import { WatchCapture } from '../recordings/watch-capture.ts';
import { otherHands } from './other-hands.ts';
import type { RecordedCommand, RecordedCommandRequest } from './recorded-commands.ts';
import { Seen } from './seen.ts';

/** What became of one request of a command. */
export interface RequestOutcome {
  readonly command: string;
  readonly request: string;
  /** What was recorded: status and content type. */
  readonly expected: string;
  readonly got: string;
  readonly passed: boolean;
}

export interface CommandTarget {
  readonly admin: Transport;
  readonly anonymous: Transport;
}

/** By command and position: a CRD that is being deleted may be gone by the time kubectl looks. */
const VARYING = new Set(['delete-crd 3']);

/** A CRD is served, and a role in force, a moment after it is written. */
const SETTLE_MS = 50;
const MOST_TRIES = 40;

/**
 * Sends what kubectl was recorded to send, command by command, and compares the status and content
 * type of each answer. What other clients did meanwhile is done at its place.
 */
export async function replayCommands(
  commands: readonly RecordedCommand[],
  target: CommandTarget,
  clock: Clock,
): Promise<RequestOutcome[]> {
  const outcomes: RequestOutcome[] = [];
  const seen = new Seen();
  for (const { id, command, requests } of commands) {
    for (const [index, request] of requests.entries()) {
      await otherHands[`${id} ${index}`]?.(target.admin, clock);
      const outcome = await send(command, request, seen, target, clock);
      // An attempt to upgrade the connection has no status in the recording.
      const comparable = request.status !== 0 && !VARYING.has(`${id} ${index}`);
      if (comparable) outcomes.push(outcome);
    }
  }
  return outcomes;
}

async function send(
  command: string,
  request: RecordedCommandRequest,
  seen: Seen,
  target: CommandTarget,
  clock: Clock,
): Promise<RequestOutcome> {
  const path = seen.inPath(request.path);
  const headers = headersOf(command, request);
  const transport = headers['authorization'] === undefined ? target.admin : target.anonymous;
  const body = seen.inBody(request);
  const wanted = { method: request.method, path, headers, ...(body !== undefined && { body }) };
  const expected = `${request.status} ${request.responseType ?? ''}`.trim();
  const outcome = (status: number, answered: TransportHeaders): RequestOutcome => {
    const got = `${status} ${firstHeader(answered, 'content-type') ?? ''}`.trim();
    const passed = got === expected;
    return { command, request: `${request.method} ${path}`, expected, got, passed };
  };

  if (path.includes('watch=true')) {
    const watch = await WatchCapture.open(transport, wanted, { clock, lastSent: () => '' });
    const { status, headers: answered } = await watch.close();
    return outcome(status, answered);
  }
  for (let attempt = 1; ; attempt++) {
    const response = await exchange(transport, wanted);
    const again = response.status !== request.status && isYoung(response.status, path);
    if (!again || attempt === MOST_TRIES) {
      seen.note(path, Buffer.from(response.body).toString('utf8'));
      return outcome(response.status, response.headers);
    }
    await sleep(clock, SETTLE_MS);
  }
}

/** Answers of a custom resource that has just been defined. */
function isYoung(status: number, path: string): boolean {
  return path.includes('/k.rec.example.com/') && (status === 404 || status === 429);
}

/** Credentials were not recorded, but the command says whose they were. */
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
