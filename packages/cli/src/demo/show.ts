import { sleep } from 'client-ts/internal';

import type { CommandContext } from '../frame/context.ts';
import { stylesFor } from '../frame/styles.ts';
import { renderPlain, renderWarning } from './render-plain.ts';
import { renderScreen } from './render-screen.ts';
import { Screen } from './screen.ts';
import type { DemoState, WarningLine } from './state.ts';

/** The content to show. */
export interface Shown {
  state(): DemoState;
  /** New warnings since the last call. */
  takeNews(): readonly WarningLine[];
}

type Place = Pick<CommandContext, 'clock' | 'out' | 'stdout'>;

const frameMs = 250;
const newsMs = 1000;
const summaryMs = 5000;

/** Shows a live screen until the signal aborts, then restores the terminal. */
export async function showScreen(
  shown: Shown,
  { clock, stdout }: Place,
  signal: AbortSignal,
): Promise<void> {
  const styles = stylesFor(stdout);
  using screen = new Screen(stdout);
  const draw = (): void => screen.draw(renderScreen(shown.state(), stdout, styles));
  using _resize = stdout.onResize(() => {
    screen.clear();
    draw();
  });
  while (!signal.aborted) {
    shown.takeNews();
    draw();
    await stdout.drained();
    await rest(clock, frameMs, signal);
  }
}

/** Prints a line every few seconds, and one per warning, until the signal aborts. */
export async function showLines(
  shown: Shown,
  { clock, out, stdout }: Place,
  signal: AbortSignal,
): Promise<void> {
  for (let passed = newsMs; !signal.aborted; passed += newsMs) {
    await rest(clock, newsMs, signal);
    for (const warning of shown.takeNews()) out(renderWarning(warning));
    if (passed % summaryMs === 0) out(renderPlain(shown.state()));
    await stdout.drained();
  }
}

/** An abort is not an error here: the loops check the signal. */
async function rest(
  clock: CommandContext['clock'],
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  await sleep(clock, ms, { signal }).catch(() => undefined);
}
