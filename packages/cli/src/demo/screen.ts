import type { Output } from '../frame/context.ts';

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
