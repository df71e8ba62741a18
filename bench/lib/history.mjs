// What benches measured, run by run: a line of JSON each, with the commit and the machine. Tables are
// read from what a bench prints, so that a bench needs to know nothing of it.

/** The tables in the output of a bench: their title (the first column's), columns and rows. */
export function parseTables(text) {
  const tables = [];
  let open;
  for (const line of text.split('\n')) {
    if (!line.startsWith('|')) {
      open = undefined;
      continue;
    }
    const cells = line
      .slice(1, line.lastIndexOf('|'))
      .split('|')
      .map((cell) => cell.trim());
    if (open === undefined) {
      const [title, ...columns] = cells;
      open = { title, columns, rows: [] };
      tables.push(open);
    } else if (!cells.every((cell) => /^:?-+:?$/.test(cell))) {
      open.rows.push(cells);
    } else if (open.rows.length > 0) {
      // A table right below another: what looked like the last row of that one is its head.
      const [title, ...columns] = open.rows.pop();
      open = { title, columns, rows: [] };
      tables.push(open);
    }
  }
  return tables
    .filter(({ rows }) => rows.length > 0)
    .map(({ rows, ...table }) => ({
      ...table,
      rows: rows.map(([name, ...values]) => ({ name, values: values.map(numberOf) })),
    }));
}

/** A gap is null, and so is a cell with words. */
function numberOf(cell) {
  const number = Number(cell.replace(/ %$/, '').replaceAll(',', ''));
  return cell === '' || Number.isNaN(number) ? null : number;
}

/** The runs of a history file; a line that cannot be read is named. */
export function parseHistory(text) {
  return text
    .split('\n')
    .map((line, index) => {
      if (line === '') return undefined;
      try {
        return JSON.parse(line);
      } catch (error) {
        throw new Error(`line ${index + 1} of the history is not JSON`, { cause: error });
      }
    })
    .filter((run) => run !== undefined);
}

const middle = (values) => values.toSorted((left, right) => left - right)[values.length >> 1];

/** Changes below this share are noise, however quiet the runs before were. */
const SMALLEST_CHANGE = 0.1;

/**
 * Compares the newest run of each bench with the earlier ones of the same machine and options: what
 * changed by more than the noise, which is the usual distance of the earlier runs from their middle,
 * times three.
 */
export function compareRuns(history) {
  const series = Map.groupBy(history, ({ bench, args, machine }) =>
    JSON.stringify([bench, args, machine.processor, machine.cores, machine.node.split('.')[0]]),
  );
  const changes = [];
  for (const runs of series.values()) {
    const newest = runs.at(-1);
    const earlier = runs.slice(0, -1);
    for (const cell of cellsOf(newest)) {
      const before = earlier.flatMap((run) => valueAt(run, cell) ?? []);
      if (before.length === 0) continue;
      const usual = middle(before);
      if (usual === 0) continue;
      const spread = middle(before.map((value) => Math.abs(value - usual))) / Math.abs(usual);
      const change = cell.value / usual - 1;
      if (Math.abs(change) <= Math.max(SMALLEST_CHANGE, 3 * spread)) continue;
      const better = isHigherBetter(cell);
      const verdict = better === undefined ? 'changed' : better === change > 0 ? 'better' : 'worse';
      changes.push({ ...cell, bench: newest.bench, usual, runs: before.length, change, verdict });
    }
  }
  return changes;
}

function* cellsOf({ tables }) {
  for (const { title, columns, rows } of tables) {
    for (const { name, values } of rows) {
      for (const [index, value] of values.entries()) {
        if (value !== null) yield { title, row: name, column: columns[index], value };
      }
    }
  }
}

function valueAt({ tables }, { title, row, column }) {
  const found = tables.find((table) => table.title === title && table.columns.includes(column));
  const values = found?.rows.find(({ name }) => name === row)?.values;
  return values?.[found.columns.indexOf(column)] ?? undefined;
}

/** Rates and ratios are better when higher; times and sizes when lower; undefined if it is unclear. */
function isHigherBetter({ column, row }) {
  for (const text of [column, row]) {
    if (/\/s\b|×|delivered/.test(text)) return true;
    if (/\b(?:ms|µs|s|KB|MB|KiB|bytes|nanoseconds)\b|cost|delay|percentile/i.test(text))
      return false;
  }
  return undefined;
}

/**
 * The ratios to a peer in the newest runs of each bench, or of each of its parts (`informers sync`), for a chart: the last column of those
 * that start with ×, processor time where there are two. Where rows are not of programs, every such column is one. The newest runs are
 * those of the same commit as the last one, with whatever options; of a table that several have, the last is drawn.
 */
export function ratiosOf(history) {
  const newest = new Map();
  for (const { bench, args, commit, tables } of history) {
    const [part = ''] = args;
    const name = `${bench} ${part.startsWith('-') ? '' : part}`;
    let known = newest.get(name);
    if (known === undefined || known.commit !== commit) {
      newest.set(name, (known = { commit, tables: new Map() }));
    }
    for (const one of tables) known.tables.set(one.title, { bench, ...one });
  }
  return [...newest.values()]
    .flatMap(({ tables }) => [...tables.values()])
    .flatMap((one) =>
      one.rows.some(({ name }) => name.includes('client-ts')) ? ofPrograms(one) : ofCases(one),
    );
}

function ofPrograms({ bench, title, columns, rows }) {
  const ratioColumns = columns.flatMap((name, index) => (name.startsWith('×') ? [index] : []));
  return rows.flatMap(({ name, values }) => {
    if (!name.includes('client-ts') || name.includes('no sockets')) return [];
    const ratio = ratioColumns.map((index) => values[index]).findLast((value) => value !== null);
    if (ratio === undefined) return [];
    return [{ bench, title, name: name.replace(/, client-ts$/, ''), ratio }];
  });
}

function ofCases({ bench, title, columns, rows }) {
  return rows.flatMap(({ name, values }) =>
    columns.flatMap((column, index) => {
      const ratio = values[index];
      if (!column.startsWith('×') || ratio === null) return [];
      return [{ bench, title, name: `${name}, ${column.replace(/^× [^,]*, /, '')}`, ratio }];
    }),
  );
}
