import type { SessionLog } from './session-log.ts';

/** The depth of a queue over a span of time: one value per column, the largest in it. */
export function depthsOf(
  log: SessionLog,
  queue: string,
  from: number,
  to: number,
  columns: number,
): readonly number[] {
  const depths = new Array<number | undefined>(columns).fill(undefined);
  const last = new Array<number>(columns).fill(0);
  for (const record of log.slice(log.positionAt(from), log.positionAt(to))) {
    if (record.type !== 'queue.state' || record.queue !== queue) continue;
    const share = (record.at - from) / Math.max(1, to - from);
    const column = Math.min(columns - 1, Math.floor(share * columns));
    depths[column] = Math.max(depths[column] ?? 0, record.depth);
    last[column] = record.depth;
  }
  // A depth holds until the next one is known.
  let held = 0;
  return depths.map((depth, column) => {
    if (depth === undefined) return held;
    held = last[column] ?? 0;
    return depth;
  });
}
