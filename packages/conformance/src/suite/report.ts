import type { CheckResult } from './run.ts';

export interface SuiteReport {
  readonly text: string;
  readonly passed: number;
  readonly failed: number;
}

/** Lists what ran and what failed and why, with the counts as the last line. */
export function describeResults(results: readonly CheckResult[]): SuiteReport {
  const lines: string[] = [];
  let area = '';
  for (const result of results) {
    if (result.area !== area) lines.push('', result.area);
    ({ area } = result);
    lines.push(`  ${'error' in result ? '✗' : '✓'} ${result.check}`);
    if ('error' in result) lines.push(indented(messageOf(result.error)));
  }
  const failed = results.filter((result) => 'error' in result).length;
  const passed = results.length - failed;
  lines.push('', `${passed} passed, ${failed} failed`);
  return { text: lines.join('\n').trimStart(), passed, failed };
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The first frame inside an area shows the failing line.
  const where = error.stack?.split('\n').find((line) => line.includes('/areas/'));
  return [error.message, where?.trim()].filter((part) => part !== undefined).join('\n');
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '      ');
}
