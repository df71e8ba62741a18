import type { TerminalSize } from 'client-ts/streams';

import type { Terminal } from '../kubelet.ts';

/** A longer description of a size is not read. */
const MAX_BYTES = 1024;
const MAX_CELLS = 0xffff;

/** A terminal whose size the messages of a client set. */
export class RemoteTerminal implements Terminal {
  size: TerminalSize | undefined;
  readonly #listeners = new Set<(size: TerminalSize) => void>();

  onResize(listener: (size: TerminalSize) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** Takes a message of the resize channel: `{"Width":80,"Height":24}`. Ignores anything else. */
  receive(data: Buffer): void {
    const size = data.length > MAX_BYTES ? undefined : readSize(data.toString());
    if (size === undefined) return;
    this.size = size;
    for (const listener of this.#listeners) listener(size);
  }
}

function readSize(text: string): TerminalSize | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = new Map(Object.entries(value).map(([key, field]) => [key.toLowerCase(), field]));
  const width: unknown = fields.get('width') ?? 0;
  const height: unknown = fields.get('height') ?? 0;
  return isCells(width) && isCells(height) ? { columns: width, rows: height } : undefined;
}

function isCells(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_CELLS;
}
