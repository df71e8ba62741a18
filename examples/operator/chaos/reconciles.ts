import type { Tenures } from './tenures.ts';

/** One reconcile of a key by a process. */
interface Interval {
  readonly process: string;
  readonly key: string;
  readonly begin: number;
  /** Infinity if the process was killed before. */
  end: number;
}

/** A request to create a pod that was not refused by the fence. */
interface Sent {
  readonly process: string;
  readonly key: string;
  readonly at: number;
}

/** The reconciles of all processes, from their logs. */
export class Reconciles {
  readonly #intervals: Interval[] = [];
  readonly #sent: Sent[] = [];

  get count(): number {
    return this.#intervals.length;
  }

  /** Reads a line of a process: `begin KEY TIME`, `sent KEY TIME` or `end KEY TIME`. */
  read(process: string, line: string): void {
    const [what, key = '', time] = line.split(' ');
    if (what === 'sent') this.#sent.push({ process, key, at: Number(time) });
    else if (what === 'begin') {
      this.#intervals.push({ process, key, begin: Number(time), end: Infinity });
    } else if (what === 'end') {
      const open = this.#intervals.findLast(
        (interval) =>
          interval.process === process && interval.key === key && interval.end === Infinity,
      );
      if (open !== undefined) open.end = Number(time);
    }
  }

  /** Returns the requests that processes sent for a key without its lease, answered or not. */
  strangers(tenures: Tenures): readonly string[] {
    return this.#sent.flatMap(({ process, key, at }) => {
      if (tenures.held(key, process, at)) return [];
      const lateMs = Math.round(at - tenures.leaseEnd(process, at));
      const when = lateMs > 0 ? `${lateMs} ms after its lease` : 'while others held the shard';
      return [`a request for ${key} by ${process}, ${when}`];
    });
  }

  /**
   * Returns the reconciles of one key that two processes did at the same time. What a process does after
   * its lease has ended does not count: it unwinds, and its writes are refused.
   */
  overlaps(tenures: Tenures): readonly string[] {
    const byKey = new Map<string, Interval[]>();
    for (const { process, key, begin, end } of this.#intervals) {
      const cut = Math.min(end, tenures.unbrokenUntil(process, begin));
      if (cut <= begin) continue;
      const intervals = byKey.get(key) ?? [];
      intervals.push({ process, key, begin, end: cut });
      byKey.set(key, intervals);
    }
    return [...byKey.values()].flatMap(overlapping);
  }
}

function overlapping(intervals: readonly Interval[]): string[] {
  const sorted = intervals.toSorted((left, right) => left.begin - right.begin);
  const found: string[] = [];
  let longest = sorted[0];
  for (const next of sorted.slice(1)) {
    if (longest === undefined) break;
    if (next.process !== longest.process && next.begin < longest.end) {
      const overMs = Math.min(next.end, longest.end) - next.begin;
      found.push(`${next.key} by ${longest.process} and ${next.process} for ${overMs} ms`);
    }
    if (next.end > longest.end) longest = next;
  }
  return found;
}
