import type { Audit } from './audit.ts';
import type { ChaosReport } from './chaos.ts';

/** So many faults of one kind are printed. */
const SHOWN = 10;

/** True if nothing is missing that is not recorded as a gap, and nothing else was wrong. */
export function isClean({ audits, faults }: ChaosReport): boolean {
  return faults.length === 0 && audits.every((audit) => audit.faults.length === 0);
}

/** The report as a person reads it. */
export function describeReport(report: ChaosReport): string {
  const { audits, faults, troubles, written } = report;
  const made = [...countsOf(troubles)].map(([name, count]) => `${name} ${count}`).join(', ');
  return [
    `Troubles: ${made}`,
    ...audits.map((each) => describeAudit(each, written)),
    ...shown(faults),
    isClean(report)
      ? 'Nothing is missing that is not recorded as a gap.'
      : 'The collector has lost events, or worse.',
  ].join('\n');
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
