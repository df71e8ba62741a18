/** The outcome of a crash run. */
export interface CrashReport {
  readonly seed: number;
  readonly kills: number;
  readonly acknowledged: number;
  readonly unknown: number;
  readonly unknownKept: number;
  readonly observations: number;
  readonly resumedWatches: number;
  readonly faults: readonly string[];
}

const MAX_FAULTS = 20;

/** True if there are no faults. A run without an acknowledged write has checked nothing, and is not clean. */
export function isClean({ faults, acknowledged }: CrashReport): boolean {
  return faults.length === 0 && acknowledged > 0;
}

export function describeReport(report: CrashReport): string {
  const { seed, kills, acknowledged, unknown, unknownKept, observations, faults } = report;
  const lines = [
    `${kills} kills with seed ${seed}: ${acknowledged} writes acknowledged, ${unknown} without an answer (${unknownKept} of them kept), ` +
      `${observations} versions seen by reads and watches, ${report.resumedWatches} watches resumed after a restart.`,
  ];
  if (isClean(report)) {
    lines.push(
      'No acknowledged write is lost, none is invented, and nothing that was seen is undone.',
    );
    return lines.join('\n');
  }
  if (acknowledged === 0) lines.push('No write was acknowledged, so nothing was checked.');
  lines.push(
    `${faults.length} faults:`,
    ...faults.slice(0, MAX_FAULTS).map((fault) => `  ${fault}`),
  );
  return lines.join('\n');
}
