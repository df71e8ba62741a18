import type { Outcome } from './replay.ts';

/** A group and the outcomes of its exchanges. */
export interface GroupResult {
  readonly group: string;
  readonly outcomes: readonly Outcome[];
}

interface Tally {
  readonly exchanges: number;
  readonly same: number;
  readonly different: number;
  readonly skipped: number;
}

/** Counts outcomes. */
export function tally(outcomes: readonly Outcome[]): Tally {
  const count = (result: Outcome['result']): number =>
    outcomes.filter((outcome) => outcome.result === result).length;
  return {
    exchanges: outcomes.length,
    same: count('passed'),
    different: count('failed'),
    skipped: count('skipped'),
  };
}

/** Returns the table of a run, one line per group. */
export function table(results: readonly GroupResult[]): string {
  const rows = results.map(({ group, outcomes }) => ({ group, ...tally(outcomes) }));
  const all = { group: 'all', ...tally(results.flatMap(({ outcomes }) => outcomes)) };
  const lines = [...rows, all].map(({ group, exchanges, same, different, skipped }) => {
    const cells = [exchanges, same, different, skipped].map((cell) => String(cell).padStart(10));
    return `${group.padEnd(24)}${cells.join('')}`;
  });
  const columns = ['exchanges', 'same', 'different', 'skipped'].map((name) => name.padStart(10));
  return [`${'group'.padEnd(24)}${columns.join('')}`, ...lines].join('\n');
}

/** Returns one line for each skipped exchange, with the reason. */
export function skips(results: readonly GroupResult[]): string[] {
  return results.flatMap(({ group, outcomes }) =>
    outcomes
      .filter(({ result }) => result === 'skipped')
      .map(({ exchange, reason }) => `skipped ${group}/${exchange.id}: ${reason ?? ''}`),
  );
}

const MAX_DIFFERENCES = 25;

/** Describes a failed exchange: the request and every difference. */
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
  for (const { path, expected, got, wanted } of differences.slice(0, MAX_DIFFERENCES)) {
    lines.push(`    ${path}${wanted === undefined ? '' : ` (wanted: ${wanted})`}`);
    lines.push(`      expected ${shortened(expected)}`, `      got      ${shortened(got)}`);
  }
  const more = differences.length - MAX_DIFFERENCES;
  if (more > 0) lines.push(`    and ${more} more differences`);
  return `${lines.join('\n')}\n`;
}

function shortened(value: unknown): string {
  const text = value === undefined ? '(absent)' : JSON.stringify(value);
  return text.length > 600 ? `${text.slice(0, 600)}… (${text.length} characters)` : text;
}
