import type { Random } from '../../lib/random.ts';

/**
 * The faults of a simulation.
 *
 * - `late-events`: watch events of a replica arrive late.
 * - `reordered-events`: late by another time for each kind, so that events of one kind overtake those
 *   of another.
 * - `lost-events`: watch events of a replica are held back, then its watches break and the history is
 *   compacted: it has to list again, and never sees what happened in between.
 * - `dropped-connections`: all requests and watches of a replica in flight break. A write may have
 *   been stored.
 * - `conflict`, `throttling`, `server-error`: requests fail with 409, 429, or 500, 503 and 504. A
 *   write that fails with 504 may have been stored.
 * - `expired`: the history is compacted and watches break: resuming them fails with 410.
 * - `crash`: a replica loses everything it has in memory and is started again after a while.
 * - `crash-after-write`: the same between the next write of a replica and its answer.
 * - `restart`: a replica is stopped in an orderly way and started again.
 * - `stale-reads`: a replica talks to a server whose watch cache is behind. A cache that is filled
 *   meanwhile goes back in time.
 * - `leader-change`: a replica stands still, for 1 to 40 seconds, which is mostly longer than its lease lasts, and then goes on.
 * - `partition`: requests of a replica are not answered for a while.
 * - `slow-handlers`: everything that handlers and reconciles of a replica wait for takes long.
 * - `clock-jump`: the wall clock of a replica is set forward or back.
 */
export type FaultKind =
  | 'clock-jump'
  | 'conflict'
  | 'crash'
  | 'crash-after-write'
  | 'dropped-connections'
  | 'expired'
  | 'late-events'
  | 'leader-change'
  | 'lost-events'
  | 'partition'
  | 'reordered-events'
  | 'restart'
  | 'server-error'
  | 'slow-handlers'
  | 'stale-reads'
  | 'throttling';

/** One fault of a run. */
export interface SimulatedFault {
  readonly kind: FaultKind;
  /** When it begins, in milliseconds from the start. */
  readonly atMs: number;
  /** The number of the replica that it hits, from 0. Default 0. */
  readonly replica?: number | undefined;
  /** How long it lasts. Default: drawn by the seed. */
  readonly forMs?: number | undefined;
  /**
   * How late events, answers or caches are; how far the clock is set; how long a replica is down.
   * Default: drawn by the seed.
   */
  readonly delayMs?: number | undefined;
}

/** A fault of which everything is decided. */
export type PlannedFault = Required<{ readonly [K in keyof SimulatedFault]: SimulatedFault[K] }> & {
  readonly replica: number;
  readonly forMs: number;
  readonly delayMs: number;
};

type Range = readonly [from: number, to: number];

interface FaultSizes {
  readonly forMs: Range;
  readonly delayMs: Range;
  /** What is printed about it. */
  readonly describe: (fault: PlannedFault) => string;
}

const none: Range = [0, 0];
const lasting = (words: string, forMs: Range): FaultSizes => ({
  forMs,
  delayMs: none,
  describe: (fault) => `${words} for ${fault.forMs} ms`,
});
const late = (words: string, forMs: Range, delayMs: Range): FaultSizes => ({
  forMs,
  delayMs,
  describe: (fault) => `${words} by ${fault.delayMs} ms for ${fault.forMs} ms`,
});
const down = (words: string): FaultSizes => ({
  forMs: none,
  delayMs: [100, 20_000],
  describe: (fault) => `${words} and is down for ${fault.delayMs} ms`,
});

const SIZES: Readonly<Record<FaultKind, FaultSizes>> = {
  'late-events': late('watch events are late', [500, 10_000], [50, 5000]),
  'reordered-events': late('watch events of each kind are late', [500, 10_000], [50, 5000]),
  'lost-events': lasting('watch events are lost', [200, 8000]),
  'dropped-connections': lasting('connections break', [0, 2000]),
  conflict: lasting('updates fail with 409', [50, 2000]),
  throttling: lasting('requests fail with 429', [50, 2000]),
  'server-error': lasting('requests fail with 500, 503 and 504', [50, 3000]),
  expired: { forMs: none, delayMs: none, describe: () => 'the history is compacted' },
  crash: down('the process crashes'),
  'crash-after-write': down('the process crashes between its next write and the answer'),
  restart: { forMs: none, delayMs: none, describe: () => 'the process is stopped and started' },
  'stale-reads': late('caches of the server are behind', [1000, 20_000], [500, 10_000]),
  'leader-change': lasting('the process stands still', [1000, 40_000]),
  partition: lasting('requests are not answered', [500, 25_000]),
  'slow-handlers': late('answers are late', [500, 10_000], [100, 3000]),
  'clock-jump': {
    forMs: none,
    delayMs: [-120_000, 120_000],
    describe: ({ delayMs }) => `the wall clock jumps by ${delayMs} ms`,
  },
};

/** All kinds of faults. */
export const FAULT_KINDS: readonly FaultKind[] = Object.keys(SIZES) as FaultKind[];

/** Returns a whole number between two, both included. */
export function between(random: Pick<Random, 'next'>, [from, to]: Range): number {
  return from + Math.floor(random.next() * (to - from + 1));
}

/** What {@link planFaults} draws from. */
export interface FaultPlanOptions {
  /** Kinds are drawn from; faults happen as they are. */
  readonly faults: readonly (FaultKind | SimulatedFault)[];
  readonly durationMs: number;
  readonly replicas: number;
}

/** The most faults that are drawn for one run. */
const MOST_FAULTS = 6;

/** Draws the faults of a run. */
export function planFaults(
  random: Random,
  { faults, durationMs, replicas }: FaultPlanOptions,
): PlannedFault[] {
  const kinds = faults.filter((fault) => typeof fault === 'string');
  const given = faults.filter((fault) => typeof fault !== 'string');
  const count = kinds.length === 0 ? 0 : between(random, [1, MOST_FAULTS]);
  const drawn = Array.from({ length: count }, (): SimulatedFault => {
    const kind = kinds[between(random, [0, kinds.length - 1])] ?? 'crash';
    const atMs = between(random, [0, durationMs]);
    return { kind, atMs, replica: between(random, [0, replicas - 1]) };
  });
  return [...given, ...drawn].map((fault): PlannedFault => {
    const sizes = SIZES[fault.kind];
    const forMs = between(random, sizes.forMs);
    const delayMs = between(random, sizes.delayMs);
    return {
      kind: fault.kind,
      atMs: fault.atMs,
      replica: fault.replica ?? 0,
      forMs: fault.forMs ?? forMs,
      delayMs: fault.delayMs ?? delayMs,
    };
  });
}

/** Returns a fault in words. */
export function describeFault(fault: PlannedFault): string {
  return `${fault.kind}: ${SIZES[fault.kind].describe(fault)}`;
}
