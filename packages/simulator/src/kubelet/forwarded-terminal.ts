import type { Terminal } from '@client-ts/apiserver';
import type { TerminalSize } from 'client-ts/streams';

/** The terminal of a main process: it has the size of the client that was attached last. */
export class ForwardedTerminal implements Terminal {
  size: TerminalSize | undefined;
  readonly #listeners = new Set<(size: TerminalSize) => void>();

  onResize(listener: (size: TerminalSize) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** Takes the sizes of another terminal, until the result is disposed. */
  follow(terminal: Terminal | undefined): Disposable {
    if (terminal === undefined) return { [Symbol.dispose]: () => undefined };
    const take = (size: TerminalSize): void => {
      this.size = size;
      for (const listener of this.#listeners) listener(size);
    };
    if (terminal.size !== undefined) take(terminal.size);
    return terminal.onResize(take);
  }
}
