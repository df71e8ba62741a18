import type { ObservedRecord, ObservedSnapshot } from 'client-ts/observe';

import { readText } from './api.ts';
import { readSession } from './session/session-file.ts';
import type { SessionLog } from './session/session-log.ts';
import {
  connection,
  cursor,
  log,
  notice,
  now,
  session,
  type SessionInfo,
  SPANS,
  spanMs,
} from './state.ts';

/** How often the page is drawn while something changes. */
const FRAME_MS = 250;

let hasNews = false;
/** The time of the program when the last message came, and that of the browser. */
let lastAt = 0;
let lastTick: number | undefined;

/** Loads what the server has, then follows it. */
export async function connect(): Promise<void> {
  try {
    const info = JSON.parse(await readText('api/session')) as SessionInfo;
    if (info.protocol !== 1) throw new Error('the page and the server have different versions');
    session.value = info;
    document.title = `${info.program} · client-ts inspector`;
    const loaded = readSession(await readText('api/export'), info.isLive ? undefined : Infinity);
    show(loaded);
    if (info.isLive) listen(loaded);
    else showWhole(loaded);
  } catch (error) {
    connection.value = { state: 'failed', message: messageOf(error) };
  }
  requestAnimationFrame(tick);
}

/** Shows a recorded session that the person has on disk. */
export async function openFile(file: Blob & { readonly name?: string }): Promise<void> {
  try {
    const loaded = readSession(await file.text(), Infinity);
    stream?.close();
    session.value = { protocol: 1, program: loaded.header.program, isLive: false, actions: false };
    show(loaded);
    showWhole(loaded);
    notice.value = `opened ${file.name ?? 'the session'}`;
  } catch (error) {
    notice.value = `cannot open ${file.name ?? 'the file'}: ${messageOf(error)}`;
  }
}

let stream: EventSource | undefined;

function show(loaded: SessionLog): void {
  cursor.value = undefined;
  lastAt = loaded.endAt;
  now.value = loaded.endAt;
  log.value = loaded;
}

/** Makes the time line as long as a recorded session, if it can be. */
function showWhole({ startAt, endAt }: SessionLog): void {
  spanMs.value = SPANS.find((span) => span >= endAt - startAt) ?? spanMs.value;
  connection.value = { state: 'recorded' };
}

function listen(current: SessionLog): void {
  const source = new EventSource(`api/stream?after=${current.lastSeq}`);
  stream = source;
  source.addEventListener('open', () => {
    connection.value = { state: 'live' };
  });
  source.addEventListener('error', () => {
    const isClosed = source.readyState === EventSource.CLOSED;
    connection.value = { state: isClosed ? 'ended' : 'lost' };
  });
  source.addEventListener('records', ({ data }: MessageEvent<string>) => {
    for (const record of JSON.parse(data) as readonly ObservedRecord[]) current.push(record);
    heard(current.endAt);
  });
  source.addEventListener('snapshot', ({ data }: MessageEvent<string>) => {
    const snapshot = JSON.parse(data) as ObservedSnapshot;
    current.refresh(snapshot);
    heard(snapshot.at);
  });
  source.addEventListener('gap', () => {
    notice.value = 'some records are missing: there were too many';
  });
  source.addEventListener('end', () => {
    source.close();
    connection.value = { state: 'ended' };
  });
}

function heard(at: number): void {
  hasNews = true;
  lastAt = Math.max(lastAt, at);
}

/** Draws a few times a second: what came in since the last time, together. */
function tick(time: number): void {
  requestAnimationFrame(tick);
  const since = lastTick === undefined ? FRAME_MS : time - lastTick;
  if (since < FRAME_MS) return;
  lastTick = time;
  if (connection.value.state !== 'live') return;
  // Between messages the clock of the program is taken to run like that of the browser.
  now.value = hasNews ? Math.max(lastAt, now.value) : now.value + since;
  hasNews = false;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
