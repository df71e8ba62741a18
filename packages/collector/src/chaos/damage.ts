import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from 'client-ts/internal';

/**
 * Overwrites some complete lines of every segment of a spool; returns the uids of the events in
 * them. Spares the end of the last line: without it the line looks incomplete.
 */
export function damageSegments(spool: string, random: Random): string[] {
  const names = readdirSync(spool, { recursive: true, encoding: 'utf8' });
  const paths = names.filter((path) => /spool[/\\]\d+\.ndjson$/.test(path));
  return paths.flatMap((path) => damageSegment(join(spool, path), random));
}

function damageSegment(path: string, random: Random): string[] {
  const content = readFileSync(path);
  const end = Math.max(0, content.lastIndexOf('\n'));
  const start = Math.floor(random.next() * end);
  const stop = Math.min(end, start + Math.floor(random.next() * 5000));
  const first = content.lastIndexOf('\n', start) + 1;
  const lines = content.subarray(first, content.indexOf('\n', stop)).toString();
  for (let at = start; at < stop; at += 1) content[at] = Math.floor(random.next() * 256);
  writeFileSync(path, content);
  return [...lines.matchAll(/"uid":"([^"]+)"/g)].map(([, uid = '']) => uid);
}
