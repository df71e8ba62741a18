import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Memory in use, in whole megabytes. */
export interface MemoryUse {
  /** The heap after a garbage collection. */
  readonly heapMb: number;
  readonly rssMb: number;
}

/** The result of a soak. */
export interface SoakReport {
  readonly seed: number;
  readonly rounds: {
    readonly atMs: number;
    readonly entries: number;
    readonly memory: MemoryUse;
  }[];
  readonly problems: string[];
  /** The number of actions by name. */
  readonly acts: Map<string, number>;
  readonly subjects: ({ readonly name: string } & Readonly<Record<string, number | string>>)[];
  /** Resources that were not closed. */
  readonly leftOpen: string[];
}

/** Measures memory after a garbage collection. */
export function measureMemory(): MemoryUse {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heapMb: toMb(heapUsed + external), rssMb: toMb(rss) };
}

/** True if there are no problems. */
export function isClean({ problems, leftOpen, rounds }: SoakReport): boolean {
  return problems.length === 0 && leftOpen.length === 0 && rounds.length > 0;
}

/** Returns the report as text. */
export function describeReport(report: SoakReport): string {
  const { seed, rounds, problems, acts, subjects, leftOpen } = report;
  const last = rounds.at(-1);
  const seconds = Math.round((last?.atMs ?? 0) / 1000);
  return [
    `${rounds.length} rounds in ${seconds} s with seed ${seed}: ${last?.entries ?? 0} writes seen by ${subjects.length} informers`,
    '',
    'Actions:',
    ...[...acts]
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([act, count]) => `  ${String(count).padStart(6)}  ${act}`),
    '',
    'Informers:',
    ...subjects.map(({ name, ...counts }) => {
      const parts = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
      return `  ${name}: ${parts.join(', ')}`;
    }),
    '',
    `Heap after each round, in MB: ${rounds.map(({ memory }) => memory.heapMb).join(' ')}`,
    `Left open: ${leftOpen.length === 0 ? 'nothing' : leftOpen.join(', ')}`,
    problems.length === 0
      ? 'Cache, indices and every call agree with the log of the server.'
      : `${problems.length} problems:\n${problems
          .slice(0, 40)
          .map((problem) => `  ${problem}`)
          .join('\n')}`,
  ].join('\n');
}

function toMb(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}
