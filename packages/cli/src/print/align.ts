import { printable } from '../frame/printable.ts';

/** kubectl's padding and minimum width of columns. */
const padding = 3;
const leastWidth = 6;

/**
 * Aligns cells and escapes them for terminals. Columns only grow, so that later lines stay aligned
 * with earlier ones.
 */
export class Columns {
  #widths: number[] = [];

  /** Returns the lines; the last column is not padded. */
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

/** In characters, whatever their width on a terminal. */
function widthOf(text: string): number {
  let width = 0;
  for (const _ of text) width += 1;
  return width;
}
