import { printable } from '../frame/printable.ts';

/** Between two columns, and at the least from the beginning of one to the next: as kubectl has it. */
const padding = 3;
const leastWidth = 6;

/**
 * Aligns lines of cells, and makes them printable: tables are for people. Columns only ever grow, so that what is written later by the same writer
 * stays below what was written before.
 */
export class Columns {
  #widths: number[] = [];

  /** The lines, each as wide as its columns; the last column of a line is not padded. */
  align(texts: readonly (readonly string[])[]): string[] {
    const lines = texts.map((cells) => cells.map(printable));
    for (const cells of lines) {
      for (const [index, cell] of cells.slice(0, -1).entries()) {
        const width = Math.max(leastWidth, widthOf(cell) + padding);
        this.#widths[index] = Math.max(this.#widths[index] ?? 0, width);
      }
    }
    return lines.map((cells) =>
      cells
        .map((cell, index) => {
          const missing = (this.#widths[index] ?? 0) - widthOf(cell);
          return index === cells.length - 1 ? cell : cell + ' '.repeat(missing);
        })
        .join(''),
    );
  }
}

/** In characters: what a terminal makes of wide ones is its own business. */
function widthOf(text: string): number {
  let width = 0;
  for (const _ of text) width += 1;
  return width;
}
