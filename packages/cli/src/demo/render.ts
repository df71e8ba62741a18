import { printable } from '../frame/printable.ts';
import type { Styles } from '../frame/styles.ts';
import {
  type DemoState,
  type NodeLine,
  type PodCounts,
  totalOf,
  type WarningLine,
} from './state.ts';

/** The size of a terminal. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** Lines besides the lists: headings, rates, informers, blanks. */
const otherRows = 12;
const minRows = 3;

/**
 * Renders the screen as lines, at most as many and as wide as the terminal. Pure. In a small
 * terminal nodes and warnings share the space; hidden ones are counted.
 */
export function renderScreen(state: DemoState, size: ScreenSize, styles: Styles): string[] {
  const room = Math.max(2 * minRows, size.rows - otherRows);
  const nodeRows = state.nodes.length + (totalOf(state.unscheduled) > 0 ? 1 : 0);
  const most = Math.min(Math.ceil(room * 0.6), room - minRows);
  const forNodes = Math.max(minRows, Math.min(nodeRows, most));
  const painter = new Painter(size.columns, styles);
  const lines = [
    painter.title(state),
    '',
    painter.podsHeading(state.totals),
    ...painter.nodes(state, forNodes),
    '',
    painter.events(state),
    '',
    ...painter.warnings(state, room - forNodes),
    '',
    ...painter.footer(state),
  ];
  return lines.slice(0, Math.max(1, size.rows));
}

/** A text with its style: widths are computed without escape sequences. */
type Piece = readonly [text: string, style?: (text: string) => string];

class Painter {
  readonly #width: number;
  readonly #styles: Styles;

  constructor(columns: number, styles: Styles) {
    // The last column stays empty: some terminals wrap there.
    this.#width = Math.max(20, columns - 1);
    this.#styles = styles;
  }

  title({ title, elapsedMs }: DemoState): string {
    const { bold, cyan, dim } = this.#styles;
    return this.#ends(
      [['client-ts', (text) => bold(cyan(text))], [`  ${oneLine(title)}`]],
      clockTime(elapsedMs),
      dim,
    );
  }

  podsHeading(totals: PodCounts): string {
    const { bold } = this.#styles;
    const { running, starting, failing, terminating } = totals;
    const parts = [
      `${running} running`,
      `${starting} starting`,
      `${failing} failing`,
      `${terminating} terminating`,
    ];
    return this.#ends([['Pods per node', bold]], parts.join(' · '));
  }

  nodes({ nodes, unscheduled }: DemoState, rows: number): string[] {
    const { dim } = this.#styles;
    const all: NodeLine[] = [
      ...nodes,
      ...(totalOf(unscheduled) > 0 ? [{ name: '(no node)', counts: unscheduled, note: '' }] : []),
    ];
    if (all.length === 0) return [this.#paint([['  no nodes yet', dim]])];
    const shown = all.length > rows ? all.slice(0, rows - 1) : all;
    const nameWidth = Math.min(28, Math.max(...shown.map(({ name }) => name.length)));
    const most = Math.max(1, ...all.map(({ counts }) => totalOf(counts)));
    const lines = shown.map((node) => this.#node(node, nameWidth, most));
    if (shown.length === all.length) return lines;
    const rest = all.slice(shown.length);
    const pods = rest.reduce((sum, { counts }) => sum + totalOf(counts), 0);
    const summary = `  … and ${counted(rest.length, 'more node')} with ${counted(pods, 'pod')}`;
    return [...lines, this.#paint([[summary, dim]])];
  }

  events({ events }: DemoState): string {
    const { bold, cyan } = this.#styles;
    const left: Piece[] = [
      ['Events', bold],
      [`  ${events.seen} seen · ${events.perSecond.toFixed(1)}/s  `],
    ];
    const room = this.#width - widthOf(left);
    return this.#paint([...left, [sparkline(events.history.slice(-Math.max(0, room))), cyan]]);
  }

  warnings({ nowMs, warnings }: DemoState, rows: number): string[] {
    const { bold, dim, green } = this.#styles;
    if (warnings.length === 0) return [bold('Latest warnings'), green('  none')];
    const shown = warnings.slice(0, rows);
    const reasonWidth = Math.min(18, Math.max(...shown.map(({ reason }) => reason.length)));
    const objectWidth = Math.min(34, Math.max(...shown.map(({ object }) => object.length)));
    return [
      this.#ends([['Latest warnings', bold]], warnings.length > rows ? 'newest first' : '', dim),
      ...shown.map((warning) => this.#warning(warning, nowMs, reasonWidth, objectWidth)),
    ];
  }

  footer({ informers, queues, collection, hint, inspector }: DemoState): string[] {
    const { bold, dim, red } = this.#styles;
    const states = informers.map(
      ({ name, state, isLive, objects }): Piece[] =>
        [
          [`  ${name} `],
          [isLive ? `${state} ${objects}` : cut(oneLine(state), 40), isLive ? undefined : red],
        ] as Piece[],
    );
    const depths = queues.map(({ name, depth }) => `  ${name} ${depth}`).join('');
    return [
      this.#paint([['Informers', bold], ...states.flat()]),
      this.#paint([['Queues', bold], [`   ${depths}`]]),
      ...(collection === undefined
        ? []
        : [
            this.#paint([
              ['Collected', bold],
              [`  ${collection.written} events in ${collection.place}`],
              ...(collection.dropped > 0
                ? [[`  ${collection.dropped} dropped`, red] as Piece]
                : []),
            ]),
          ]),
      ...(inspector === '' ? [] : [this.#ends([[inspector]], '', dim)]),
      this.#ends([[hint]], 'Ctrl-C to stop', dim),
    ];
  }

  #node({ name, counts, note }: NodeLine, nameWidth: number, most: number): string {
    const { dim, green, red, yellow } = this.#styles;
    const countWidth = `${most}`.length;
    const barWidth = Math.max(4, this.#width - nameWidth - countWidth - 34);
    // Whole characters per pod while there is room, so that pods can be counted.
    const scale = most > barWidth ? barWidth / most : Math.min(4, Math.floor(barWidth / most));
    const bar = (count: number, character: string): string =>
      character.repeat(count === 0 ? 0 : Math.max(1, Math.round(count * scale)));
    return this.#paint([
      [`  ${fit(oneLine(name), nameWidth)}  ${`${totalOf(counts)}`.padStart(countWidth)}  `],
      [bar(counts.running, '█'), green],
      [bar(counts.starting, '▒'), yellow],
      [bar(counts.failing, '▓'), red],
      [bar(counts.terminating, '░'), dim],
      [totalOf(counts) === 0 ? '' : '  '],
      [remarksOn(counts, note).join(', '), yellow],
    ]);
  }

  #warning(
    { atMs, count, message, object, reason }: WarningLine,
    nowMs: number,
    reasonWidth: number,
    objectWidth: number,
  ): string {
    const { dim, yellow } = this.#styles;
    const times = count > 1 ? ` (×${count})` : '';
    return this.#paint([
      [`  ${shortAge(nowMs - atMs).padStart(4)}  `, dim],
      [fit(oneLine(reason), reasonWidth), yellow],
      [`  ${fit(oneLine(object), objectWidth)}  ${oneLine(message)}${times}`],
    ]);
  }

  /** Aligns a left and a right part. */
  #ends(left: readonly Piece[], right: string, style?: (text: string) => string): string {
    const gap = this.#width - widthOf(left) - right.length;
    if (gap < 2) return this.#paint(left);
    return this.#paint([...left, [' '.repeat(gap)], [right, style]] as Piece[]);
  }

  #paint(pieces: readonly Piece[]): string {
    let left = this.#width;
    let line = '';
    for (const [text, style] of pieces) {
      const shown = text.length > left ? cut(text, left) : text;
      left -= shown.length;
      line += style === undefined || shown === '' ? shown : style(shown);
    }
    return line.trimEnd();
  }
}

function widthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, [text]) => sum + text.length, 0);
}

/** Returns what to notice about a node: `1 failing`, `cordoned`. */
function remarksOn({ starting, failing }: PodCounts, note: string): string[] {
  return [
    ...(starting > 0 ? [`${starting} starting`] : []),
    ...(failing > 0 ? [`${failing} failing`] : []),
    ...(note === '' ? [] : [oneLine(note)]),
  ];
}

/** Formats the state as one line, for logs. */
export function renderPlain(state: DemoState): string {
  const { elapsedMs, events, unscheduled, nodes, queues, totals } = state;
  const { running, starting, failing } = totals;
  const places = nodes.map(({ name, counts }) => `${name}=${totalOf(counts)}`);
  if (totalOf(unscheduled) > 0) places.push(`none=${totalOf(unscheduled)}`);
  const waiting = queues.reduce((sum, { depth }) => sum + depth, 0);
  const notLive = state.informers.filter(({ isLive }) => !isLive);
  const parts = [
    `${clockTime(elapsedMs)} pods: ${running} running, ${starting} starting, ${failing} failing`,
    places.length === 0 ? 'no nodes' : places.join(' '),
    `events: ${events.seen}, ${events.perSecond.toFixed(1)}/s`,
    `waiting: ${waiting}`,
    ...notLive.map(({ name, state: problem }) => `${name}: ${oneLine(problem)}`),
  ];
  return parts.join(' | ');
}

/** Formats a warning as one line. */
export function renderWarning({ count, message, object, reason }: WarningLine): string {
  const times = count > 1 ? ` (×${count})` : '';
  return `Warning ${oneLine(reason)} ${oneLine(object)}: ${oneLine(message)}${times}`;
}

/** Returns a text as one printable line. */
export function oneLine(text: string): string {
  return printable(text.trim().replaceAll(/\s+/g, ' '));
}

/** Truncates a text with an ellipsis. */
export function cut(text: string, width: number): string {
  if (text.length <= width) return text;
  return width < 1 ? '' : `${text.slice(0, width - 1)}…`;
}

/** Truncates or pads a text to a width. */
export function fit(text: string, width: number): string {
  return cut(text, width).padEnd(width);
}

/** Formats a count: `1 pod`, `2 pods`. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

/** Formats a duration as `00:01:23`. */
export function clockTime(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return [seconds / 3600, (seconds / 60) % 60, seconds % 60]
    .map((part) => `${Math.floor(part)}`.padStart(2, '0'))
    .join(':');
}

/** Formats an age in one unit: `12s`, `3m`, `2h`. */
export function shortAge(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

const heights = '▁▂▃▄▅▆▇█';

/**
 * Draws one character per number, scaled by the square root, so that a burst does not flatten the
 * rest.
 */
export function sparkline(numbers: readonly number[]): string {
  const most = Math.max(1, ...numbers);
  return numbers
    .map((number) =>
      heights.charAt(Math.min(heights.length - 1, Math.floor(Math.sqrt(number / most) * 8))),
    )
    .join('');
}
