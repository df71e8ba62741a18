import { sleep } from 'client-ts/internal';

import type { CommandContext, Output } from '../frame/context.ts';
import { stylesFor } from '../frame/styles.ts';
import { renderPlain, renderScreen, renderWarning } from './render.ts';
import type { DemoState, WarningLine } from './state.ts';

/** The state to show, read again for every frame. */
export interface ViewModel {
  state(): DemoState;
  /** Returns the warnings since the last call. */
  takeWarnings(): readonly WarningLine[];
}

type Terminal = Pick<CommandContext, 'clock' | 'out' | 'stdout'>;

const frameMs = 250;
const warningsMs = 1000;
const summaryMs = 5000;

/** Shows a live screen until the signal aborts, then restores the terminal. */
export async function showScreen(
  view: ViewModel,
  { clock, stdout }: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const styles = stylesFor(stdout);
  using screen = new Screen(stdout);
  const draw = (): void => screen.draw(renderScreen(view.state(), stdout, styles));
  using _resize = stdout.onResize(() => {
    screen.clear();
    draw();
  });
  while (!signal.aborted) {
    view.takeWarnings();
    draw();
    await stdout.drained();
    await pause(clock, frameMs, signal);
  }
}

/** Prints a line every few seconds, and one per warning, until the signal aborts. */
export async function showLines(
  view: ViewModel,
  { clock, out, stdout }: Terminal,
  signal: AbortSignal,
): Promise<void> {
  for (let passed = warningsMs; !signal.aborted; passed += warningsMs) {
    await pause(clock, warningsMs, signal);
    for (const warning of view.takeWarnings()) out(renderWarning(warning));
    if (passed % summaryMs === 0) out(renderPlain(view.state()));
    await stdout.drained();
  }
}

/** An abort is not an error here: the loops check the signal. */
async function pause(
  clock: CommandContext['clock'],
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  await sleep(clock, ms, { signal }).catch(() => undefined);
}

const enter = '\u001B[?1049h\u001B[?25l\u001B[2J';
const leave = '\u001B[?25h\u001B[?1049l';

/**
 * The alternate screen of a terminal, until disposed or the process exits. Writes only changed
 * lines, to avoid flicker.
 */
export class Screen implements Disposable {
  readonly #output: Output;
  #shown: readonly string[] = [];
  #isOpen = true;

  constructor(output: Output) {
    this.#output = output;
    output.write(enter);
    process.once('exit', this.#restore);
  }

  draw(lines: readonly string[]): void {
    if (!this.#isOpen) return;
    let text = '';
    for (let row = 0; row < Math.max(lines.length, this.#shown.length); row += 1) {
      const line = lines[row] ?? '';
      if (line !== this.#shown[row]) text += `\u001B[${row + 1};1H${line}\u001B[K`;
    }
    this.#shown = [...lines];
    if (text !== '') this.#output.write(text);
  }

  /** Redraws everything next time: after a resize the content is unknown. */
  clear(): void {
    this.#shown = [];
    if (this.#isOpen) this.#output.write('\u001B[2J');
  }

  [Symbol.dispose](): void {
    process.off('exit', this.#restore);
    this.#restore();
  }

  readonly #restore = (): void => {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#output.write(leave);
  };
}
