/**
 * @typedef {object} Score
 * @property {string} room
 * @property {string} score in per cent
 * @property {number} tried
 * @property {number} found how many mutants the module has
 * @property {number} seed what chose those that were tried, if not all were
 * @property {number} killed
 * @property {number} survived
 * @property {number} uncovered
 */

/**
 * The page of scores with one row replaced or added, rows in the order of their names.
 * @param {string} page @param {Score} score
 */
export function withScore(page, { room, score, tried, found, seed, survived, uncovered }) {
  const of = tried < found ? ` of ${found.toLocaleString('en')} (seed ${seed})` : '';
  const row = `| ${room} | ${score} % | ${tried.toLocaleString('en')}${of} | ${survived} | ${uncovered} |`;
  const lines = page.trimEnd().split('\n');
  const first = lines.findIndex((line) => line.startsWith('| ---')) + 1;
  const rows = lines.slice(first).filter((line) => line.startsWith('|'));
  const kept = rows.filter((line) => line.split('|')[1]?.trim() !== room);
  const sorted = [...kept, row].toSorted();
  return [...lines.slice(0, first), ...sorted, ...lines.slice(first + rows.length), ''].join('\n');
}
