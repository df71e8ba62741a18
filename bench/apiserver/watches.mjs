// The rows about watches: how fast they open, how long events take, and how many events a server delivers.
import { fork } from 'node:child_process';
import { now, RawClient } from '../lib/raw-http.mjs';
import { median } from '../lib/report.mjs';

/** Events per second, from which the highest that a server delivers in full is determined. */
const RATES = [50, 100, 200, 400, 700, 1000, 1500, 2000, 3000];
const RATE_WATCHES = 100;
const RATE_SECONDS = 2;
/** A server that needs this much longer does not keep up. */
const TOLERANCE = 1.1;
/** What has not arrived after this time without any event never will. */
const SILENCE_MS = 3000;
/** For a server to clean up after the connections of the last measurement. */
const REST_MS = 500;

/** How often watches are opened before a server is considered broken. */
const ATTEMPTS = 5;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The load generator: a process for one measurement after the other. */
class Load {
  #child = fork(new URL('./watch-load.mjs', import.meta.url));

  async ask(command, options = {}) {
    return await new Promise((resolve, reject) => {
      const ended = () => reject(new Error('the load generator ended'));
      this.#child.once('exit', ended);
      this.#child.once('message', (answer) => {
        this.#child.off('exit', ended);
        resolve(answer);
      });
      this.#child.send({ command, ...options });
    });
  }

  stop() {
    this.#child.kill();
  }
}

/** What is measured of one server. `root` is the path of a namespace of its own. */
export class WatchSubject {
  #target;
  #root;
  #load = new Load();
  #writer;
  #runs = 0;

  constructor(target, root) {
    this.#target = target;
    this.#root = root;
    this.#writer = new RawClient(target);
  }

  /** Opens watches; returns how many per second, and the processor time of the client for each. */
  async open(watches, protocol) {
    const list = await this.#expect(200, 'GET', `${this.#root}/configmaps?limit=1`);
    const version = /"resourceVersion":"(\d+)"/.exec(list)?.[1];
    const path = `${this.#root}/configmaps?watch=1&resourceVersion=${version}`;
    const target = { ...this.#target };
    for (const name of ['ca', 'cert', 'key']) target[name] = target[name]?.toString();
    const request = { target, path, watches, protocol };
    // A connection may fail on a busy machine. That is no rate, so all of them are opened again.
    for (let attempt = 1; ; attempt++) {
      const { seconds, processorMs, failed, reason } = await this.#load.ask('open', request);
      if (failed === 0) {
        return { perSecond: watches / seconds, processorMs: processorMs / watches };
      }
      const problem = `${failed} of ${watches} watches did not open: ${reason}`;
      if (attempt === ATTEMPTS) throw new Error(problem);
      process.stderr.write(`${problem}; opening them again\n`);
      await this.closeWatches();
    }
  }

  async closeWatches() {
    await this.#load.ask('close');
    await sleep(REST_MS);
    await this.#expect(200, 'GET', '/readyz');
  }

  /** Writes events at a steady rate to the open watches; returns what arrived and when. */
  async events(watches, count, perSecond) {
    const run = `${process.pid}-${this.#runs++}`;
    const before = await this.#load.ask('report');
    const start = now();
    const writes = [];
    for (let index = 0; index < count; index++) {
      const wait = start + (index * 1000) / perSecond - now();
      if (wait > 1) await sleep(wait);
      const body = JSON.stringify({
        metadata: { name: `event-${run}-${index}` },
        data: { sent: String(now()) },
      });
      writes.push(this.#expect(201, 'POST', `${this.#root}/configmaps`, body));
    }
    await Promise.all(writes);
    await this.#arrival(before.frames + watches * count);
    const seconds = (now() - start) / 1000;
    const { frames, processorMs, p50, p99 } = await this.#load.ask('report', { all: true });
    return {
      framesPerSecond: (frames - before.frames) / seconds,
      delivered: (frames - before.frames) / (watches * count),
      keptUp: seconds <= (count / perSecond) * TOLERANCE + 0.2,
      processorShare: (processorMs - before.processorMs) / 1000 / seconds,
      p50,
      p99,
    };
  }

  close() {
    this.#load.stop();
    this.#writer.close();
  }

  /** Waits until all frames are there, or no more come. */
  async #arrival(frames) {
    let seen = -1;
    let seenAt = now();
    for (;;) {
      const report = await this.#load.ask('report');
      if (report.frames >= frames) return;
      if (report.frames !== seen) {
        seen = report.frames;
        seenAt = now();
      }
      if (now() - seenAt > SILENCE_MS) return;
      await sleep(5);
    }
  }

  async #expect(status, method, path, body) {
    const text = await this.#writer.call(method, path, body);
    if (!text.startsWith(`HTTP/1.1 ${status} `)) throw new Error(`${method} ${path}: ${text}`);
    return text;
  }
}

/** Opens watches, in rounds in which the servers take turns. */
async function openingRows(subjects, rows, { watches, rounds, protocol, label }) {
  const rates = subjects.map(() => []);
  const costs = subjects.map(() => []);
  // One more at first, which is not counted: V8 compiles, Go grows its heap.
  for (let round = -1; round < rounds; round++) {
    for (const [index, subject] of inTurn(subjects, round)) {
      const { perSecond, processorMs } = await subject.open(watches, protocol);
      await subject.closeWatches();
      if (round < 0) continue;
      rates[index].push(perSecond);
      costs[index].push(processorMs);
    }
  }
  rows.set(`${watches} watches, ${label}: opened/s`, rates.map(median));
  rows.set(`  processor time of the client, ms each, ${label}`, costs.map(median));
}

/** Sends few events to many watches. */
async function wideRows(subjects, rows, { watches, rounds }) {
  const results = subjects.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, subject] of inTurn(subjects, round)) {
      await subject.open(watches, 'http1');
      results[index].push(await subject.events(watches, 50, 25));
      await subject.closeWatches();
    }
  }
  const of = (name) =>
    results.map((rounds_) => median(rounds_.map((result) => Number(result[name]))));
  rows.set(
    `${watches} watches, 25 events/s: delivered, %`,
    of('delivered').map((share) => share * 100),
  );
  rows.set(`  median delay, ${watches} watches, ms`, of('p50'));
  rows.set(`  99th percentile, ${watches} watches, ms`, of('p99'));
  rows.set(
    `  processor of the client, ${watches} watches, %`,
    of('processorShare').map((share) => share * 100),
  );
}

/** Raises the rate until a server no longer delivers all events in time. */
async function ladder(subject) {
  const byRate = new Map();
  let highest = 0;
  for (const rate of RATES) {
    await subject.open(RATE_WATCHES, 'http1');
    const result = await subject.events(RATE_WATCHES, rate * RATE_SECONDS, rate);
    await subject.closeWatches();
    byRate.set(rate, result);
    if (result.delivered < 1 || !result.keptUp) break;
    highest = rate;
  }
  return { byRate, highest };
}

/** Sends many events to some watches. Delays are compared where all servers deliver everything. */
async function rateRows(subjects, rows, { rounds }) {
  const results = subjects.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, subject] of inTurn(subjects, round)) {
      results[index].push(await ladder(subject));
    }
  }
  const highest = results.map((ladders) => Math.min(...ladders.map((one) => one.highest)));
  const watches = `${RATE_WATCHES} watches`;
  rows.set(`${watches}: events/s delivered in full in every round`, highest);
  const common = Math.min(...highest);
  const at = (name) =>
    results.map((ladders) => median(ladders.map(({ byRate }) => byRate.get(common)?.[name])));
  rows.set(`  median delay at ${common} events/s, ms`, at('p50'));
  rows.set(`  99th percentile at ${common} events/s, ms`, at('p99'));
  rows.set(
    `  processor of the client at ${common} events/s, %`,
    at('processorShare').map((share) => share * 100),
  );
}

/** In every other round the last one begins. */
function inTurn(subjects, round) {
  const pairs = [...subjects.entries()];
  return round % 2 === 0 ? pairs : pairs.reverse();
}

/** Measures the watches of all servers; returns rows with a value for each of them. */
export async function measureWatches(subjects, { watches, rounds, note }) {
  const rows = new Map();
  const each = { protocol: 'http1', label: 'a connection each' };
  const shared = { protocol: 'http2', label: 'HTTP/2' };
  note('opening watches, a connection each');
  await openingRows(subjects, rows, { watches, rounds, ...each });
  note('opening watches over HTTP/2');
  await openingRows(subjects, rows, { watches, rounds, ...shared });
  note(`sending events to ${watches} watches`);
  await wideRows(subjects, rows, { watches, rounds });
  note('raising the rate of events');
  await rateRows(subjects, rows, { rounds });
  return rows;
}
