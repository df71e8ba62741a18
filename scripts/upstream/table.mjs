/**
 * Returns the outcomes that are not `pass` everywhere, as a table in Markdown.
 * @param {ReadonlyMap<string, import('./types.d.ts').Outcome>} here
 * @param {ReadonlyMap<string, import('./types.d.ts').Outcome> | undefined} there
 */
export function formatTable(here, there) {
  const names = [...new Set([...here.keys(), ...(there?.keys() ?? [])])].sort();
  const rows = names
    .map((name) => [name, here.get(name) ?? 'skip', there?.get(name) ?? '-'])
    .filter(([, ours, theirs]) => ours !== 'pass' || (theirs !== 'pass' && theirs !== '-'))
    .map(([name, ours, theirs]) => `| ${name} | ${ours} | ${theirs} |`);
  return ['| Test | Embedded | Genuine |', '| --- | --- | --- |', ...rows, ''].join('\n');
}

/**
 * Returns the numbers in words.
 * @param {ReadonlyMap<string, import('./types.d.ts').Outcome>} here
 * @param {ReadonlyMap<string, import('./types.d.ts').Outcome> | undefined} there
 */
export function summarize(here, there) {
  /**
   * @param {ReadonlyMap<string, import('./types.d.ts').Outcome>} results
   * @param {import('./types.d.ts').Outcome} outcome
   */
  const count = (results, outcome) => [...results.values()].filter((one) => one === outcome).length;
  /**
   * @param {string} name
   * @param {ReadonlyMap<string, import('./types.d.ts').Outcome>} results
   */
  const line = (name, results) =>
    `${name}: ${count(results, 'pass')} pass, ${count(results, 'fail')} fail, ${count(results, 'skip')} skipped`;
  if (there === undefined) return line('embedded', here);
  const only = [...there].filter(([name, one]) => one === 'pass' && here.get(name) === 'fail');
  return [
    line('embedded', here),
    line('genuine', there),
    `${only.length} fail here and pass on the genuine server:`,
    ...only.map(([name]) => `  ${name}`),
  ].join('\n');
}
