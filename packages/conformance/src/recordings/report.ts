import { bars, OVERALL_BAR } from './bars.ts';
import type { Outcome } from './replay.ts';

/** A group and what became of its exchanges. */
export interface GroupResult {
  readonly group: string;
  readonly outcomes: readonly Outcome[];
}

interface Tally {
  readonly exchanges: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Of those that were not skipped, in percent. */
  readonly share: number;
}

/** Counts outcomes; what was skipped counts neither for nor against. */
export function tally(outcomes: readonly Outcome[]): Tally {
  const count = (result: Outcome['result']): number =>
    outcomes.filter((outcome) => outcome.result === result).length;
  const passed = count('passed');
  const failed = count('failed');
  const share = passed + failed === 0 ? 100 : (100 * passed) / (passed + failed);
  return { exchanges: outcomes.length, passed, failed, skipped: count('skipped'), share };
}

/** One sentence for every bar that was missed; empty when the run is good. */
export function missedBars(results: readonly GroupResult[], complete: boolean): string[] {
  const missed = results.flatMap(({ group, outcomes }) => {
    const bar = bars[group];
    const { share } = tally(outcomes);
    return bar !== undefined && share < bar
      ? [`${group}: ${share.toFixed(1)} % is below its bar of ${bar} %`]
      : [];
  });
  const { share } = tally(results.flatMap(({ outcomes }) => outcomes));
  // The bar for everything says nothing about a choice of groups.
  if (complete && share < OVERALL_BAR) {
    missed.push(`all together: ${share.toFixed(1)} % is below the bar of ${OVERALL_BAR} %`);
  }
  return missed;
}

/** The table of a run, one line per group. */
export function table(results: readonly GroupResult[]): string {
  const rows = results.map(({ group, outcomes }) => ({ group, ...tally(outcomes) }));
  const all = { group: 'all', ...tally(results.flatMap(({ outcomes }) => outcomes)) };
  const lines = [...rows, all].map((row) => {
    const bar = row === all ? OVERALL_BAR : bars[row.group];
    const cells = [row.exchanges, row.passed, row.failed, row.skipped]
      .map((cell) => String(cell).padStart(10))
      .join('');
    const goal = bar === undefined ? '' : `${bar} %`;
    return `${row.group.padEnd(24)}${cells}${row.share.toFixed(1).padStart(9)} %${goal.padStart(7)}`;
  });
  const columns = ['exchanges', 'passed', 'failed', 'skipped'].map((name) => name.padStart(10));
  const head = `${'group'.padEnd(24)}${columns.join('')}${'share'.padStart(11)}${'bar'.padStart(7)}`;
  return [head, ...lines].join('\n');
}

/** Why exchanges were skipped, one line each. */
export function skips(results: readonly GroupResult[]): string[] {
  return results.flatMap(({ group, outcomes }) =>
    outcomes
      .filter(({ result }) => result === 'skipped')
      .map(({ exchange, reason }) => `skipped ${group}/${exchange.id}: ${reason ?? ''}`),
  );
}

const MOST_DIFFERENCES = 25;

/** A failed exchange for the eyes of whoever mends the server. */
export function describeFailure(group: string, outcome: Outcome): string {
  const { exchange, request, differences, reason } = outcome;
  const lines = [
    `✗ ${group}/${exchange.id}: ${exchange.about}`,
    `  ${exchange.request.method} ${request?.path ?? exchange.request.path}`,
    ...Object.entries(exchange.request.headers).map(
      ([name, value]) => `  ${name}: ${shortened(value)}`,
    ),
  ];
  if (exchange.request.body !== undefined) lines.push(`  body ${shortened(exchange.request.body)}`);
  if (reason !== undefined) lines.push(`    no comparison: ${reason}`);
  for (const { path, expected, got, wanted } of differences.slice(0, MOST_DIFFERENCES)) {
    lines.push(`    ${path}${wanted === undefined ? '' : ` (wanted: ${wanted})`}`);
    lines.push(`      expected ${shortened(expected)}`, `      got      ${shortened(got)}`);
  }
  const more = differences.length - MOST_DIFFERENCES;
  if (more > 0) lines.push(`    and ${more} more differences`);
  return `${lines.join('\n')}\n`;
}

function shortened(value: unknown): string {
  const text = value === undefined ? '(absent)' : JSON.stringify(value);
  return text.length > 600 ? `${text.slice(0, 600)}… (${text.length} characters)` : text;
}
