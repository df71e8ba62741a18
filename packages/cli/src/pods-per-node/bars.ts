import { printable } from '../frame/printable.ts';
import { compareNaturally } from '../print/natural-order.ts';

/** The number of pods on a node. */
export interface NodeCount {
  /** Empty for pods without a node. */
  readonly node: string;
  readonly pods: number;
}

/** Options of {@link bars}. */
export interface BarsOptions {
  readonly sortBy: 'name' | 'pods';
  /** The available width. */
  readonly columns: number;
  /** The maximum number of lines; the last one summarises the rest. */
  readonly rows?: number;
  /** Styles the bars. */
  readonly style?: (bar: string) => string;
}

/** From one eighth to a full block. */
const eighths = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];

const widestBar = 60;
const notScheduled = '<none>';

/** Sorts by count or by name; pods without a node last. */
export function sortCounts(counts: readonly NodeCount[], by: BarsOptions['sortBy']): NodeCount[] {
  return [...counts].sort((left, right) => {
    if (left.node === '' || right.node === '')
      return Number(left.node === '') - Number(right.node === '');
    const byPods = by === 'pods' ? right.pods - left.pods : 0;
    return byPods || compareNaturally(left.node, right.node);
  });
}

/** A heading, a bar per node, and the total. */
export function renderBars(counts: readonly NodeCount[], options: BarsOptions): string[] {
  const { sortBy, columns, rows = Number.POSITIVE_INFINITY, style = (bar) => bar } = options;
  const sorted = sortCounts(counts, sortBy);
  // The heading, the total, and the summary of the rest.
  const room = Math.max(1, rows - 3);
  const shown = sorted.length > room + 1 ? sorted.slice(0, room) : sorted;
  const names = shown.map(({ node }) => (node === '' ? notScheduled : printable(node)));
  const nameWidth = Math.max(4, ...names.map((name) => name.length));
  const most = Math.max(1, ...sorted.map(({ pods }) => pods));
  const countWidth = Math.max(4, String(most).length);
  const barWidth = Math.min(widestBar, Math.max(8, columns - nameWidth - countWidth - 7));
  const lines = shown.map(({ pods }, index) => {
    const head = `${(names[index] ?? '').padEnd(nameWidth)}   ${String(pods).padStart(countWidth)}`;
    return `${head}   ${style(barOf(pods / most, barWidth))}`;
  });
  const others = sorted.slice(shown.length);
  const otherPods = others.reduce((sum, { pods }) => sum + pods, 0);
  return [
    `${'NODE'.padEnd(nameWidth)}   ${'PODS'.padStart(countWidth)}`,
    ...lines,
    ...(others.length === 0 ? [] : [`and ${others.length} more nodes with ${otherPods} pods`]),
    summary(sorted),
  ];
}

function barOf(share: number, width: number): string {
  const parts = share === 0 ? 0 : Math.max(1, Math.round(share * width * eighths.length));
  const whole = Math.floor(parts / eighths.length);
  const rest = parts % eighths.length;
  return '█'.repeat(whole) + (rest === 0 ? '' : (eighths[rest - 1] ?? ''));
}

function summary(counts: readonly NodeCount[]): string {
  const nodes = counts.filter(({ node }) => node !== '').length;
  const pods = counts.reduce((sum, each) => sum + each.pods, 0);
  return `${plural(pods, 'pod')} on ${plural(nodes, 'node')}`;
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
