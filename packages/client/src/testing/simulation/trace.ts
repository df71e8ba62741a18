import { createHash } from 'node:crypto';

/** A line of a trace. */
export interface TraceLine {
  readonly atMs: number;
  /** A process, `world`, `fault` or `server`. */
  readonly who: string;
  readonly what: string;
  /** True for reads, leases and events, which readers rarely need. */
  readonly isDetail: boolean;
}

/** Everything that has happened in a simulation, in order. */
export class Trace {
  readonly lines: TraceLine[] = [];

  add(atMs: number, who: string, what: string, isDetail = false): void {
    this.lines.push({ atMs, who, what, isDetail });
  }

  /** The SHA-256 of all lines: equal for equal runs. */
  get digest(): string {
    const hash = createHash('sha256');
    for (const line of this.lines) hash.update(`${formatLine(line)}\n`);
    return hash.digest('hex');
  }
}

/** Returns a line as text: the time in seconds, the process, what happened. */
export function formatLine({ atMs, who, what }: TraceLine): string {
  return `${(atMs / 1000).toFixed(3).padStart(9)} s  ${who.padEnd(11)}  ${what}`;
}
