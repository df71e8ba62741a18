import { ApiServer } from '@client-ts/apiserver';
import type { CachedObject } from 'client-ts/cache';
import { DynamicClient, type DynamicResourceClient } from 'client-ts/dynamic';
import { seededRandom, sleep, systemClock } from 'client-ts/lib';
import { RESTClient } from 'client-ts/rest';
import { createTransport } from 'client-ts/transport';

import { ServerLog } from '../informers/server-log.ts';
import { isOlder } from '../informers/versions.ts';
import { fastClock } from '../recordings/fast-clock.ts';
import { Chaos } from './chaos.ts';
import { kinds, prepare, type SoakKind } from './kinds.ts';
import { measureMemory, type SoakReport } from './report.ts';
import { Subject, type SubjectSettings } from './subject.ts';
import { TcpProxy } from './tcp-proxy.ts';
import { Writer } from './writer.ts';

/** How much faster than real the clock of server and clients runs: an hour takes two minutes. */
const speed = 30;
const namespace = 'soak';
/** After a round everything must be in order within this time, in milliseconds. */
const patienceMs = 60_000;

/** How long, and which way. */
export interface SoakOptions {
  /** No round begins after this long, in milliseconds. */
  readonly durationMs: number;
  /** How many rounds there are at most. Default: as many as fit. */
  readonly rounds?: number;
  /** How long everything is disturbed before it is checked. */
  readonly roundMs: number;
  readonly seed: number;
  /** Told after each round. */
  readonly onRound?: (line: string) => void;
}

/** One writer, one undisturbed reader of the log, for one kind. */
interface Scene {
  readonly kind: SoakKind;
  readonly writer: Writer;
  readonly log: ServerLog;
  /** As administrator, whom nothing disturbs. */
  readonly admin: DynamicResourceClient;
}

const settings: readonly Omit<SubjectSettings, 'kind'>[] = [
  { queue: 'in-order', useWatchList: true, protocol: 'auto', codec: 'protobuf' },
  { queue: 'delta', useWatchList: false, protocol: 'http1', codec: 'json', pageSize: 7 },
];

/**
 * Informers on an embedded server over real connections, while everything that can go wrong does.
 * After each round cache, indices and what every handler was told are held against the log of the
 * server; at the end nothing may be left open.
 */
export async function soak({
  durationMs,
  rounds = Infinity,
  roundMs,
  seed,
  onRound,
}: SoakOptions): Promise<SoakReport> {
  const openBefore = process.getActiveResourcesInfo();
  const random = seededRandom(seed);
  const startedAt = systemClock.monotonic();
  const report: SoakReport = {
    seed,
    rounds: [],
    problems: [],
    acts: new Map(),
    subjects: [],
    leftOpen: [],
  };
  {
    await using stack = new AsyncStack();
    const world = await setUp(random, stack);
    const chaos = new Chaos({
      server: world.server,
      subjects: world.subjects,
      random,
      forgettable: () => oldest(world.scenes.map(({ log }) => log.version)),
    });
    for (const subject of world.subjects) subject.start();
    const left = (): number => durationMs - (systemClock.monotonic() - startedAt);
    while (left() > 0 && report.rounds.length < rounds && report.problems.length === 0) {
      for (const { writer } of world.scenes) writer.start();
      chaos.start();
      await sleep(systemClock, Math.min(roundMs, Math.max(left(), 0)));
      await chaos.stop();
      await Promise.all(world.scenes.map(({ writer }) => writer.stop()));
      // A write whose answer was lost may still be under way in the server.
      await sleep(systemClock, 100);
      report.problems.push(...(await judge(world)));
      const memory = measureMemory();
      const entries = world.written();
      report.rounds.push({ atMs: systemClock.monotonic() - startedAt, entries, memory });
      onRound?.(
        `round ${report.rounds.length}: ${entries} writes, heap ${memory.heapMb} MB, rss ${memory.rssMb} MB, ${report.problems.length} problems`,
      );
    }
    for (const [act, count] of chaos.acts) report.acts.set(act, count);
    for (const { name, counts } of world.subjects) report.subjects.push({ name, ...counts });
  }
  report.leftOpen.push(...(await leftOpen(openBefore)));
  return report;
}

interface World {
  readonly server: ApiServer;
  readonly scenes: readonly Scene[];
  readonly subjects: readonly Subject[];
  /** How many writes the logs have had. */
  readonly written: () => number;
  readonly count: (entries: number) => void;
}

async function setUp(random: ReturnType<typeof seededRandom>, stack: AsyncStack): Promise<World> {
  const clock = fastClock(speed);
  const count = kinds.length * settings.length;
  const users = Array.from({ length: count }, (_, index) => `reader-${index + 1}`);
  const server = stack.use(
    await ApiServer.start({
      clock,
      random,
      tokens: Object.fromEntries(
        users.map((name) => [`token-of-${name}`, { name, groups: ['system:masters'] }]),
      ),
    }),
  );
  const rest = stack.use(
    new RESTClient({ server: server.url, transport: server.transport() }, { clock }),
  );
  await prepare(rest, namespace);
  const timing = { connectMs: 600_000, handshakeMs: 600_000 };
  const overSockets = stack.use(createTransport(server.config, { clock, timing, environment: {} }));
  const scenes: Scene[] = [];
  const subjects: Subject[] = [];
  for (const kind of kinds) {
    const admin = new DynamicClient(rest).resource(kind.gvr).namespace(namespace);
    const log = stack.use(await ServerLog.start(admin, clock));
    const client = new DynamicClient(RESTClient.over(overSockets, { clock }))
      .resource(kind.gvr)
      .namespace(namespace);
    scenes.push({ kind, admin, log, writer: new Writer(kind, client, random) });
    for (const setting of settings) {
      const user = users[subjects.length] ?? '';
      const proxy = await TcpProxy.start(Number(new URL(server.url).port));
      const config = {
        ...server.config,
        server: `https://127.0.0.1:${proxy.port}`,
        auth: { token: `token-of-${user}` },
      };
      // Every kind meets both protocols with both queues over the kinds.
      const isSwapped = scenes.length % 2 === 0;
      const protocol = isSwapped
        ? setting.protocol === 'auto'
          ? 'http1'
          : 'auto'
        : setting.protocol;
      const world = { clock, random, namespace, faults: server.faults, proxy, config, user };
      const subject = stack.use(new Subject({ ...setting, kind, protocol }, world));
      subject.handle({ name: 'quick' });
      subject.handle({ name: 'slow', behaviour: () => sleep(systemClock, random.next() * 3) });
      subject.handle({ name: 'resynced', resyncPeriodMs: 60_000 });
      subject.handle({
        name: 'throwing',
        behaviour: () => {
          throw new Error('as always');
        },
      });
      subjects.push(subject);
    }
  }
  let written = 0;
  return { server, scenes, subjects, written: () => written, count: (more) => (written += more) };
}

/** Lets everything come to rest and finds out what is wrong. */
async function judge({ scenes, subjects, count }: World): Promise<string[]> {
  for (const subject of subjects) {
    subject.makeUpForMissed();
    // What stalls would do so until its time is over.
    subject.proxy.cut();
  }
  const signal = AbortSignal.timeout(patienceMs);
  const problems: string[] = [];
  for (const { admin, kind, log } of scenes) {
    const labels = { write: 'last' };
    const name = `last-${log.version}`;
    const { metadata } = await admin.create({ ...kind.content, metadata: { name, labels } });
    const version = metadata.resourceVersion;
    await log.reached(version, signal);
    const objects: CachedObject[] = (await admin.list()).items;
    const entries = log.take();
    count(entries.length);
    for (const subject of subjects.filter((one) => one.kind === kind)) {
      try {
        await subject.settled(version, signal);
        problems.push(...subject.judge(entries, objects, version));
      } catch (error) {
        const state = JSON.stringify(subject.informer.state);
        problems.push(`${subject.name} has not settled: ${state} ${String(error)}`);
      }
    }
  }
  return problems;
}

function oldest(versions: readonly string[]): string {
  return versions.reduce((left, right) => (isOlder(right, left) ? right : left));
}

/** What keeps the process alive now and did not before. Closing takes a few turns. */
async function leftOpen(before: readonly string[]): Promise<string[]> {
  let left: string[] = [];
  for (let attempt = 0; attempt < 50; attempt += 1) {
    left = [...process.getActiveResourcesInfo()];
    for (const resource of before) {
      const position = left.indexOf(resource);
      if (position !== -1) left.splice(position, 1);
    }
    if (left.length === 0) return left;
    await sleep(systemClock, 20);
  }
  return left;
}

/** Disposes what it is given, last first. */
class AsyncStack implements AsyncDisposable {
  readonly #resources: AsyncDisposable[] = [];

  use<T extends AsyncDisposable>(resource: T): T {
    this.#resources.push(resource);
    return resource;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const resource of this.#resources.toReversed()) await resource[Symbol.asyncDispose]();
  }
}
