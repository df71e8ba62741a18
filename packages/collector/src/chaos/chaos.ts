import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiServer } from '@client-ts/apiserver';
import { type Random, seededRandom, systemClock } from 'client-ts/internal';
import { EventArchive } from '../event-archive.ts';
import { openDatabase } from '../sqlite-database.ts';
import { audit, type Audit } from './audit.ts';
import { BulkServer } from './bulk-server.ts';
import { CollectorProcess } from './collector-process.ts';
import { damageSegments } from './damage.ts';
import { EventLoad } from './event-load.ts';

/** Options of {@link collectorChaos}. */
export interface ChaosOptions {
  /** An empty directory. */
  readonly directory: string;
  readonly seed: number;
  /** Faults are caused until this time has passed or, with `rounds`, each that many times. */
  readonly durationMs?: number | undefined;
  readonly rounds?: number | undefined;
  /** Scales the duration of each fault. Default 1. */
  readonly scale?: number | undefined;
  readonly say: (line: string) => void;
}

/** The result of a run. */
export interface ChaosReport {
  readonly written: number;
  /** In order. */
  readonly troubles: readonly string[];
  readonly audits: readonly Audit[];
  /** Violations besides those of the audits. */
  readonly faults: readonly string[];
}

/** The grace period of the pipelines, with a margin for the process. */
const STOP_LIMIT_MS = 30_000;

/**
 * Runs collectors on the embedded server under random faults, then compares their sinks with the
 * log of the server.
 */
export async function collectorChaos(options: ChaosOptions): Promise<ChaosReport> {
  await using server = await ApiServer.start();
  const random = seededRandom(options.seed);
  await using load = new EventLoad(server, { random, now: () => systemClock.now() });
  // A sink that is behind makes the source restart earlier for all sinks of its collector, which
  // hides losses: so one collector has a single sink.
  await using one = await ChaosRun.open(options, { server, load, index: 0, hasDatabase: false });
  await using two = await ChaosRun.open(options, { server, load, index: 1, hasDatabase: true });
  const runs = [one, two];
  await Promise.all(runs.map((run) => run.begin()));
  await Promise.all(runs.map((run) => run.makeTrouble()));
  await Promise.all(runs.map((run) => run.recover()));
  // The last event; nothing fails after it.
  const last = await load.create();
  await Promise.all(runs.map((run) => run.stopAfter(last)));
  return {
    written: load.log.size,
    troubles: runs.flatMap(({ troubles }) => troubles),
    audits: runs.flatMap((run) => run.audits()),
    faults: runs.flatMap(({ faults }) => faults),
  };
}

interface RunOptions {
  readonly server: ApiServer;
  readonly load: EventLoad;
  readonly index: number;
  /** With a database besides the search server. */
  readonly hasDatabase: boolean;
}

interface Parts extends RunOptions {
  readonly bulk: BulkServer;
  readonly random: Random;
}

/** One collector under a sequence of faults. */
class ChaosRun implements AsyncDisposable {
  readonly #options: ChaosOptions;
  readonly #parts: Parts;
  readonly #directory: string;
  readonly troubles: string[] = [];
  readonly faults: string[] = [];
  readonly #damaged = new Set<string>();
  #collector: CollectorProcess | undefined;

  private constructor(options: ChaosOptions, parts: Parts) {
    this.#options = options;
    this.#parts = parts;
    this.#directory = join(options.directory, parts.hasDatabase ? 'two-sinks' : 'one-sink');
  }

  static async open(options: ChaosOptions, parts: RunOptions): Promise<ChaosRun> {
    const random = seededRandom(options.seed + parts.index);
    return new ChaosRun(options, { ...parts, random, bulk: await BulkServer.start() });
  }

  /** Starts the collector. Its guarantee begins with its first list. */
  async begin(): Promise<void> {
    mkdirSync(this.#directory, { recursive: true });
    writeFileSync(this.#path('kubeconfig'), this.#parts.server.kubeconfig);
    await this.#start();
    await this.recover();
  }

  async makeTrouble(): Promise<void> {
    const { load } = this.#parts;
    for (const [name, make] of this.#sequence()) {
      this.troubles.push(name);
      this.#options.say(`${load.log.size} events, ${basename(this.#directory)}: ${name}`);
      await make();
      // Usually recovers before the next fault; otherwise everything would be one long gap.
      if (this.#below(4) > 0) await this.recover();
    }
  }

  /**
   * Writes events until one of them is in all sinks: nothing before it is in transit. Some may be
   * dropped.
   */
  async recover(): Promise<void> {
    this.#parts.bulk.mode = 'well';
    const markers: string[] = [];
    for (let turn = 0; !markers.some((uid) => this.#has(uid)); turn += 1) {
      if (turn % 20 === 0) markers.push(await this.#parts.load.create());
      await this.#pause();
    }
  }

  /** Stops the collector after it has delivered an event. */
  async stopAfter(uid: string): Promise<void> {
    while (!this.#has(uid)) await this.#pause();
    await this.#end('SIGTERM');
  }

  audits(): Audit[] {
    const { bulk, hasDatabase, load } = this.#parts;
    const place = basename(this.#directory);
    const damaged = this.#damaged;
    const name = `${place}, elasticsearch`;
    const search = { name, events: bulk.events, gaps: bulk.gaps, damaged };
    if (!hasDatabase) return [audit(search, load.log)];
    const { events, gaps } = this.#archive((archive) => archive.query({}));
    const byUid = new Map(events.map((event) => [event.uid, event]));
    const database = { name: `${place}, sqlite`, events: byUid, gaps, damaged };
    return [audit(search, load.log), audit(database, load.log)];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#collector?.end('SIGKILL');
    await this.#parts.bulk[Symbol.asyncDispose]();
  }

  *#sequence(): Generator<readonly [string, () => Promise<void>], void, undefined> {
    const troubles = Object.entries(this.#makers());
    const { durationMs, rounds = Infinity } = this.#options;
    const end = systemClock.monotonic() + (durationMs ?? Infinity);
    for (let round = 0; round < rounds && systemClock.monotonic() < end; round += 1) {
      // Every fault once per round, in random order.
      const left = [...troubles];
      while (left.length > 0 && systemClock.monotonic() < end) {
        const [next] = left.splice(this.#below(left.length), 1);
        if (next !== undefined) yield next;
      }
    }
  }

  #makers(): Readonly<Record<string, () => Promise<void>>> {
    return {
      'kill -9': () => this.#restart('SIGKILL'),
      SIGTERM: () => this.#restart('SIGTERM'),
      'sink away': () => this.#during('away'),
      'sink failing': () => this.#during('failing'),
      'sink slow': () => this.#during('slow'),
      'sink away for long': () => this.#during('away', 2500),
      'sink away over a restart': () => this.#awayOverRestart(),
      ...(this.#parts.hasDatabase
        ? {
            'database locked': () => this.#lockDatabase(),
            'full disk': () => this.#fullDisk(24 + this.#below(60)),
            'full disk for the database': () => this.#fullDisk(this.#databaseKib() + 40),
          }
        : { 'full disk': () => this.#fullDisk(1) }),
      'two processes': () => this.#second(),
      'corrupt segment': () => this.#corrupt(),
      'server forgets': () => this.#forget(),
      calm: () => this.#parts.load.write(this.#some(200)),
    };
  }

  async #restart(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const { load } = this.#parts;
    const writing = load.write(this.#some(150));
    await load.write(this.#some(100));
    await this.#end(signal);
    await writing;
    await load.write(this.#some(50));
    await this.#start();
  }

  /** Long enough for events to spill to disk, or even to fill the spool. */
  async #during(mode: 'away' | 'failing' | 'slow', changes = 600): Promise<void> {
    const { bulk, load } = this.#parts;
    bulk.mode = mode;
    await load.write(this.#some(changes));
    bulk.mode = 'well';
  }

  async #awayOverRestart(): Promise<void> {
    const { bulk, load } = this.#parts;
    bulk.mode = 'away';
    await load.write(this.#some(500));
    for (const signal of ['SIGTERM', 'SIGKILL', 'SIGTERM'] as const) {
      const writing = load.write(this.#some(200));
      await load.write(this.#some(50));
      await this.#end(signal);
      await writing;
      await this.#start();
    }
    bulk.mode = 'well';
  }

  async #lockDatabase(): Promise<void> {
    const database = openDatabase(this.#path('events.db'));
    try {
      database.exec('BEGIN EXCLUSIVE');
      await this.#parts.load.write(this.#some(300));
      database.exec('ROLLBACK');
    } finally {
      database.close();
    }
  }

  /** The collector may fail to start, but must keep what is on disk. */
  async #fullDisk(kib: number): Promise<void> {
    const { bulk, load } = this.#parts;
    bulk.mode = this.#below(4) === 0 ? 'well' : 'away';
    await load.write(this.#some(150));
    // A stop spills memory to disk, so that the position moves with what is spilled later.
    await this.#end(this.#below(3) === 0 ? 'SIGKILL' : 'SIGTERM');
    this.#collector = this.#spawn(kib);
    await this.#collector.started();
    await load.write(this.#some(500));
    await this.#end(this.#below(2) === 0 ? 'SIGKILL' : 'SIGTERM');
    bulk.mode = 'well';
    await this.#start();
  }

  async #second(): Promise<void> {
    const second = this.#spawn();
    const writing = this.#parts.load.write(this.#some(100));
    const isStarted = await second.started();
    const code = await second.end('SIGKILL');
    const holder = `process ${this.#collector?.pid} on`;
    if (isStarted || code !== 1 || !second.errors.includes(holder)) {
      this.faults.push(`a second collector was not refused: ${code}, ${second.errors}`);
    }
    await writing;
  }

  async #corrupt(): Promise<void> {
    const { bulk, load, random } = this.#parts;
    bulk.mode = 'away';
    await load.write(this.#some(400));
    // A stop spills memory to disk, so that the position moves past the segments.
    await this.#end('SIGTERM');
    for (const uid of damageSegments(this.#path('spool'), random)) this.#damaged.add(uid);
    bulk.mode = 'well';
    await this.#start();
  }

  /** While the collector is down, so that what is deleted in the meantime is a gap. */
  async #forget(): Promise<void> {
    const { load, server } = this.#parts;
    await this.#end('SIGTERM');
    await load.write(this.#some(100));
    server.compact();
    await this.#start();
  }

  #has(uid: string): boolean {
    const { bulk, hasDatabase } = this.#parts;
    if (!bulk.events.has(uid)) return false;
    return !hasDatabase || this.#archive((archive) => archive.has(uid));
  }

  async #pause(): Promise<void> {
    if (this.#collector?.isRunning !== true) {
      throw new Error(`the collector has exited: ${this.#collector?.errors}`);
    }
    await delay(50);
  }

  #archive<T>(look: (archive: EventArchive) => T): T {
    using archive = new EventArchive(this.#path('events.db'));
    return look(archive);
  }

  async #start(): Promise<void> {
    this.#collector = this.#spawn();
    if (await this.#collector.started()) return;
    throw new Error(`the collector did not start: ${this.#collector.errors}`);
  }

  #spawn(fileLimit?: number): CollectorProcess {
    const { bulk, hasDatabase } = this.#parts;
    const args = hasDatabase ? [bulk.url, 'sqlite'] : [bulk.url];
    return new CollectorProcess({ directory: this.#directory, args, fileLimit });
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const collector = this.#collector;
    if (collector === undefined) return;
    const startedAt = systemClock.monotonic();
    await collector.end(signal);
    const tookMs = systemClock.monotonic() - startedAt;
    if (tookMs > STOP_LIMIT_MS) this.faults.push(`a stop took ${Math.round(tookMs)} ms`);
    if (/unhandled|UnhandledPromise/i.test(collector.errors)) this.faults.push(collector.errors);
  }

  #databaseKib(): number {
    return Math.ceil(statSync(this.#path('events.db')).size / 1024);
  }

  #path(name: string): string {
    return join(this.#directory, name);
  }

  #some(usual: number): number {
    const most = usual * (this.#options.scale ?? 1);
    return Math.ceil(most / 4) + this.#below(most);
  }

  #below(count: number): number {
    return Math.floor(this.#parts.random.next() * count);
  }
}
