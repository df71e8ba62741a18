import type { Audit } from './audit.ts';
import type { ChaosReport } from './chaos.ts';

/** The number of violations that are printed. */
const SHOWN = 10;

/**
 * True if every missing event is covered by a gap, and there are no other violations. A run that
 * has caused no fault has checked nothing, and is not clean.
 */
export function isClean({ audits, faults, troubles }: ChaosReport): boolean {
  if (troubles.length === 0) return false;
  return faults.length === 0 && audits.every((audit) => audit.faults.length === 0);
}

/** Formats the report. */
export function describeReport(report: ChaosReport): string {
  const { audits, faults, troubles, written } = report;
  const made = [...countsOf(troubles)].map(([name, count]) => `${name} ${count}`).join(', ');
  return [
    `Faults: ${made}`,
    ...audits.map((each) => describeAudit(each, written)),
    ...shown(faults),
    verdict(report),
  ].join('\n');
}

function verdict(report: ChaosReport): string {
  if (isClean(report)) return 'Every missing event is covered by a gap.';
  return report.troubles.length === 0
    ? 'FAILED: no fault was caused, so nothing was checked.'
    : 'FAILED: events are missing without a gap, or worse.';
}

function describeAudit({ sink, right, inGaps, gaps, faults }: Audit, all: number): string {
  const reasons = countsOf(gaps.map(({ reason }) => reason.replace(/ from version .*/, '')));
  const line = `${sink}: ${all} events, ${right} right, ${inGaps} missing or old in ${gaps.length} gaps, ${faults.length} unrecorded`;
  const kinds = [...reasons].map(([reason, count]) => `  ${count} gaps: ${reason}`);
  return [line, ...kinds, ...shown(faults)].join('\n');
}

function countsOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function shown(faults: readonly string[]): string[] {
  const rest = faults.length - SHOWN;
  return [
    ...faults.slice(0, SHOWN).map((fault) => `  ${fault}`),
    ...(rest > 0 ? [`  … ${rest} more`] : []),
  ];
}
