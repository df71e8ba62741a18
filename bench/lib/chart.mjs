// A chart of ratios as SVG: bars on a logarithmic scale from the line of the peer, to the right where we
// are faster, to the left where we are not.

const WIDTH = 900;
const LABELS = 370;
const ROW = 22;
const HEAD = 56;
const FOOT = 30;

const escaped = (text) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** Draws `{ title, name, ratio }` rows, a heading for each new title. */
export function ratioChart(heading, rows) {
  const widest = Math.max(4, ...rows.map(({ ratio }) => Math.max(ratio, 1 / ratio)));
  const steps = Math.ceil(Math.log2(widest));
  const lowest = Math.min(-1, Math.floor(Math.log2(Math.min(1, ...rows.map((row) => row.ratio)))));
  const unit = (WIDTH - LABELS - 70) / (steps - lowest);
  const x = (ratio) => LABELS + (Math.log2(ratio) - lowest) * unit;
  const lines = [];
  let y = HEAD;
  let title;
  for (const row of rows) {
    if (row.title !== title) {
      title = row.title;
      lines.push(`<text class="title" x="12" y="${y + 15}">${escaped(title)}</text>`);
      y += ROW;
    }
    const [from, to] = row.ratio >= 1 ? [x(1), x(row.ratio)] : [x(row.ratio), x(1)];
    const kind = row.ratio >= 1 ? 'ahead' : 'behind';
    const end = row.ratio >= 1 ? to + 6 : x(1) + 6;
    lines.push(
      `<text x="24" y="${y + 15}">${escaped(row.name)}</text>`,
      `<rect class="${kind}" x="${from.toFixed(1)}" y="${y + 4}" width="${(to - from).toFixed(1)}" height="14"/>`,
      `<text class="value" x="${end.toFixed(1)}" y="${y + 15}">${row.ratio} ×</text>`,
    );
    y += ROW;
  }
  const height = y + FOOT;
  const grid = Array.from({ length: steps - lowest + 1 }, (_, index) => {
    const power = lowest + index;
    const at = (LABELS + index * unit).toFixed(1);
    const label = power >= 0 ? `${2 ** power}` : `1/${2 ** -power}`;
    return `<line class="${power === 0 ? 'even' : 'grid'}" x1="${at}" y1="${HEAD - 6}" x2="${at}" y2="${y}"/><text class="scale" x="${at}" y="${y + 16}">${label}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escaped(heading)}">
<style>
  text { font: 12px system-ui, sans-serif; fill: #24292f; }
  .heading { font-size: 15px; font-weight: 600; }
  .title { font-weight: 600; }
  .scale { fill: #57606a; text-anchor: middle; }
  .value { fill: #57606a; }
  .grid { stroke: #d0d7de; }
  .even { stroke: #24292f; }
  .ahead { fill: #1f7a4d; }
  .behind { fill: #b3401e; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .scale, .value { fill: #9ba4ae; }
    .grid { stroke: #3a424b; }
    .even { stroke: #e6edf3; }
    .ahead { fill: #4cb782; }
    .behind { fill: #e0764f; }
  }
</style>
<text class="heading" x="12" y="26">${escaped(heading)}</text>
${[...grid, ...lines].join('\n')}
</svg>
`;
}
