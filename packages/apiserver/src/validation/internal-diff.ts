import { internalJson } from './internal-json.ts';
import { unifiedDiff } from './unified-diff.ts';

/**
 * How an object differs from what it was, as the server shows it to those who tried to change what
 * cannot change: a unified diff of its own, unversioned form.
 */
export function internalDiff(type: string, old: object, value: object): string {
  return unifiedDiff(linesOf(type, old), linesOf(type, value));
}

function linesOf(type: string, value: object): string[] {
  return JSON.stringify(internalJson(type, value), undefined, 1).split('\n');
}
