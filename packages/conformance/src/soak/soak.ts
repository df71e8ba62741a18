import type { CachedObject } from 'client-ts/cache';
import { seededRandom, sleep, systemClock } from 'client-ts/internal';

import { isOlder } from '../informers/history.ts';
import { Chaos } from './chaos.ts';
import { measureMemory, type SoakReport } from './report.ts';
import { type Scene, Stage } from './stage.ts';

/** After a round everything must settle within this time. */
const settleTimeoutMs = 60_000;

/** Options of a soak. */
export interface SoakOptions {
  /** No round starts after this time. */
  readonly durationMs: number;
  /** The maximum number of rounds. Default: no limit. */
  readonly rounds?: number;
  /** How long everything is disturbed before it is checked. */
  readonly roundMs: number;
  readonly seed: number;
  /** Called after each round. */
  readonly onRound?: (line: string) => void;
}

/**
 * Runs informers on an embedded server over real connections under random faults. After each round,
 * cache, indices and all handler calls are compared with the log of the server; at the end nothing
 * may be left open.
 */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const { seed } = options;
  const openBefore = process.getActiveResourcesInfo();
  const acts = new Map<string, number>();
  const report: SoakReport = { seed, rounds: [], problems: [], acts, subjects: [], leftOpen: [] };
  await perform(options, report);
  report.leftOpen.push(...(await leftOpen(openBefore)));
  return report;
}

async function perform(options: SoakOptions, report: SoakReport): Promise<void> {
  const { durationMs, rounds = Infinity, roundMs, seed, onRound } = options;
  const random = seededRandom(seed);
  const startedAt = systemClock.monotonic();
  const elapsed = (): number => systemClock.monotonic() - startedAt;
  await using stage = await Stage.set(random);
  const { server, scenes, subjects } = stage;
  const forgettable = (): string => oldest(scenes.map(({ log }) => log.version));
  const chaos = new Chaos({ server, subjects, random, acts: report.acts, forgettable });
  for (const subject of subjects) subject.start();
  let entries = 0;
  while (elapsed() < durationMs && report.rounds.length < rounds && report.problems.length === 0) {
    for (const { writer } of scenes) writer.start();
    chaos.start();
    await sleep(systemClock, Math.min(roundMs, Math.max(0, durationMs - elapsed())));
    await chaos.stop();
    await Promise.all(scenes.map(({ writer }) => writer.stop()));
    // A write whose response was lost may still be in progress on the server.
    await sleep(systemClock, 100);
    for (const subject of subjects) subject.mend();
    const signal = AbortSignal.timeout(settleTimeoutMs);
    for (const scene of scenes) entries += await judge(scene, report, signal);
    const memory = measureMemory();
    report.rounds.push({ atMs: elapsed(), entries, memory });
    onRound?.(
      `round ${report.rounds.length}: ${entries} writes, heap ${memory.heapMb} MB, rss ${memory.rssMb} MB, ${report.problems.length} problems`,
    );
  }
  for (const { name, counts } of subjects) report.subjects.push({ name, ...counts });
}

/**
 * Waits until the informers of a kind have settled and collects their problems. Returns the number
 * of writes.
 */
async function judge(
  { admin, kind, log, subjects }: Scene,
  { problems }: SoakReport,
  signal: AbortSignal,
): Promise<number> {
  const metadata = { name: `last-${log.version}`, labels: { write: 'last' } };
  const last = await admin.create({ ...kind.content, metadata });
  const version = last.metadata.resourceVersion;
  await log.reached(version, { signal });
  const objects: CachedObject[] = (await admin.list()).items;
  const entries = log.take();
  for (const subject of subjects) {
    try {
      await subject.settled(version, { signal });
      problems.push(...subject.judge(entries, objects, version));
    } catch (error) {
      const state = JSON.stringify(subject.informer.state);
      problems.push(`${subject.name} has not settled: ${state} ${String(error)}`);
    }
  }
  return entries.length;
}

function oldest(versions: readonly string[]): string {
  return versions.reduce((left, right) => (isOlder(right, left) ? right : left));
}

/** Returns what keeps the process alive now and did not before. Closing takes a few turns. */
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
