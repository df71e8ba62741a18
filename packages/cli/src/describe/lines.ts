/**
 * The lines of a description. A line is a text whose cells are separated by tabs, as `text/tabwriter`
 * of Go aligns them. Lists are flattened; what is undefined or false is left out.
 */
export type Lines = string | false | undefined | readonly Lines[];

/** What a field may show. Undefined is shown as nothing. */
export type Value = boolean | number | string | undefined;

/** A column: its heading, and the dashes below it if there are not as many as letters. */
export type Column = string | readonly [heading: string, dashes: number];

/** `Label:  value`. */
export function field(label: string, value: Value): string {
  return `${label}:\t${value ?? ''}`;
}

/** A field that is left out if it has no value. */
export function optional(label: string, value: Value): string | undefined {
  return value === undefined || value === '' ? undefined : field(label, value);
}

/** A field with a value per line; `<none>` for none. */
export function multiline(label: string, values: readonly string[]): Lines {
  if (values.length === 0) return field(label, '<none>');
  return values.map((value, index) => (index === 0 ? field(label, value) : `\t${value}`));
}

/** A heading, and lines below it. */
export function block(label: string, ...lines: readonly Lines[]): Lines {
  return [`${label}:`, indent(lines)];
}

/** A block that is left out if there is nothing in it. */
export function optionalBlock(label: string, ...lines: readonly Lines[]): Lines {
  return flat(lines).length === 0 ? undefined : block(label, lines);
}

/** Headings, dashes and rows. */
export function table(columns: readonly Column[], rows: readonly (readonly Value[])[]): Lines {
  const headings = columns.map((column) => (typeof column === 'string' ? column : column[0]));
  const dashes = columns.map((column) => (typeof column === 'string' ? column.length : column[1]));
  return [
    headings.join('\t'),
    dashes.map((count) => '-'.repeat(count)).join('\t'),
    ...rows.map((row) => row.map((cell) => cell ?? '').join('\t')),
  ];
}

/** The lines, two spaces to the right per level. */
export function indent(lines: Lines, level = 1): Lines {
  const margin = '  '.repeat(level);
  return flat(lines).map((line) => margin + line);
}

/** The lines in one list. */
export function flat(lines: Lines): string[] {
  if (lines === undefined || lines === false) return [];
  return typeof lines === 'string' ? [lines] : lines.flatMap(flat);
}

const padding = 2;

/**
 * Aligns cells: in adjacent lines, the cells before the last one form columns. Line ends in a value
 * begin a line.
 */
export function align(lines: Lines): string {
  const rows = flat(lines)
    .flatMap((line) => line.split('\n'))
    .map((line) => line.split('\t'));
  const widths = rows.map((): number[] => []);
  const columns = Math.max(0, ...rows.map((row) => row.length - 1));
  for (let column = 0; column < columns; column += 1) {
    for (let start = 0; start < rows.length; start += 1) {
      const end = endOfColumn(rows, start, column);
      const cells = rows.slice(start, end).map((row) => widthOf(row[column] ?? ''));
      const width = Math.max(0, ...cells) + padding;
      for (const each of widths.slice(start, end)) each[column] = width;
      start = Math.max(start, end - 1);
    }
  }
  const text = rows.map((row, index) => {
    const cells = row.map((cell, column) => {
      const missing = (widths[index]?.[column] ?? 0) - widthOf(cell);
      return column === row.length - 1 ? cell : cell + ' '.repeat(missing);
    });
    return `${cells.join('')}\n`;
  });
  return text.join('');
}

function endOfColumn(rows: readonly (readonly string[])[], start: number, column: number): number {
  let end = start;
  while ((rows[end]?.length ?? 0) - 1 > column) end += 1;
  return end;
}

/** In characters, whatever their width on a terminal. */
function widthOf(text: string): number {
  return Array.from(text).length;
}
