/**
 * Writes the tables of modules in ARCHITECTURE.md, from the list that the layer check enforces.
 * `--check` writes nothing and fails if they are not up to date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { MODULES } from './lib/modules.mjs';
import { root } from './lib/paths.mjs';

const { values } = parseArgs({ options: { check: { type: 'boolean' } } });
const file = join(root, 'ARCHITECTURE.md');
const before = readFileSync(file, 'utf8');
const after = Object.keys(MODULES).reduce(withTable, before);
if (after !== before) {
  if (values.check) {
    console.error('ARCHITECTURE.md: the tables of modules are not up to date');
    process.exitCode = 1;
  } else writeFileSync(file, after);
}

/** @param {string} text @param {string} name */
function withTable(text, name) {
  const [begin, end] = [`<!-- modules of ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to === -1) throw new Error(`ARCHITECTURE.md has no place for ${begin}`);
  return `${text.slice(0, from + begin.length)}\n\n${table(name)}\n\n${text.slice(to)}`;
}

/** Columns have one width, as the formatter wants them. @param {string} name */
function table(name) {
  const rows = Object.entries(MODULES[name] ?? {}).map(([module, about]) => [
    `\`${module}\``,
    about,
  ]);
  const all = [['Module', 'What is in it'], ...rows];
  const widths = [0, 1].map((column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const line = (/** @type {readonly string[]} */ cells) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(all[0] ?? []), rule, ...rows.map(line)].join('\n');
}
