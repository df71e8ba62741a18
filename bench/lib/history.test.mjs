import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ratioChart } from './chart.mjs';
import { compareRuns, parseHistory, parseTables, ratiosOf } from './history.mjs';
import { table } from './report.mjs';

const machine = { processor: 'p', cores: 2, node: 'v26.1.0' };

function run(wallMs, rate, bench = 'informers') {
  const tables = parseTables(
    table(
      ['sync', 'wall, ms', 'events/s', '× client-go'],
      [['pods, client-ts', wallMs, rate, '2.5']],
    ),
  );
  return { bench, args: [], machine, tables };
}

describe('parseTables', () => {
  it('reads the tables of an output, with gaps and thousands', () => {
    const output = `A bench\n\n${table(['a', 'ms', '%'], [['x', '1,234', '–']])}\n\ntext\n${table(['b', 's'], [['y', '0.5 %']])}\n`;
    assert.deepEqual(parseTables(output), [
      { title: 'a', columns: ['ms', '%'], rows: [{ name: 'x', values: [1234, null] }] },
      { title: 'b', columns: ['s'], rows: [{ name: 'y', values: [0.5] }] },
    ]);
  });

  it('reads tables without a line between them', () => {
    const output = `${table(['a', 'ms'], [['x', '1']])}\n${table(['b', 's'], [['y', '2']])}\n`;
    assert.deepEqual(parseTables(output), [
      { title: 'a', columns: ['ms'], rows: [{ name: 'x', values: [1] }] },
      { title: 'b', columns: ['s'], rows: [{ name: 'y', values: [2] }] },
    ]);
  });
});

describe('parseHistory', () => {
  it('names a line that is not JSON', () => {
    assert.deepEqual(parseHistory('{"a":1}\n'), [{ a: 1 }]);
    assert.throws(() => parseHistory('{}\n{'), /line 2/);
  });
});

describe('compareRuns', () => {
  it('shows what changed, and whether that is better', () => {
    const changes = compareRuns([run(100, 50), run(102, 50), run(98, 50), run(150, 100)]);
    assert.deepEqual(
      changes.map(({ column, usual, value, verdict }) => [column, usual, value, verdict]),
      [
        ['wall, ms', 100, 150, 'worse'],
        ['events/s', 50, 100, 'better'],
      ],
    );
  });

  it('leaves out what is within the noise of the runs before', () => {
    assert.deepEqual(compareRuns([run(100, 50), run(60, 50), run(140, 50), run(150, 52)]), []);
  });

  it('compares runs of one bench on one machine with the same options only', () => {
    const elsewhere = { ...run(10, 1), machine: { ...machine, cores: 64 } };
    assert.deepEqual(compareRuns([elsewhere, run(10, 1, 'codec'), run(100, 50)]), []);
  });
});

describe('ratioChart', () => {
  it('draws a bar for each ratio of the newest run, to the left where we are slower', () => {
    const slower = run(100, 50);
    slower.tables[0].rows.push({ name: 'a <b>, client-ts', values: [1, 1, 0.5] });
    slower.tables[0].rows.push({ name: 'pods, client-go', values: [1, 1, 1] });
    const ratios = ratiosOf([run(1, 1), slower]);
    assert.deepEqual(
      ratios.map(({ name, ratio }) => [name, ratio]),
      [
        ['pods', 2.5],
        ['a <b>', 0.5],
      ],
    );
    const svg = ratioChart('heading', ratios);
    assert.equal(svg.match(/class="ahead" x/g).length, 1);
    assert.equal(svg.match(/class="behind" x/g).length, 1);
    assert.ok(svg.includes('a &lt;b&gt;'));
  });

  it('has every ratio of tables whose rows are cases, of the newest run', () => {
    const queue = (small, large) => ({
      ...run(1, 1, 'workqueue'),
      tables: parseTables(
        table(
          ['queue', '10 items', '× Go, 10 items', '× Go, 20 items'],
          [['add', 5, small, large]],
        ),
      ),
    });
    const ratios = ratiosOf([queue('0.5', '2'), queue('0.75', '–'), run(1, 1)]);
    assert.deepEqual(
      ratios.map(({ name, ratio }) => [name, ratio]),
      [
        ['add, 10 items', 0.75],
        ['pods', 2.5],
      ],
    );
  });

  it('takes all tables of the newest commit of each part of a bench, and drops those of earlier ones', () => {
    const titled = (part, title, commit, ratio) => {
      const { tables, ...rest } = run(1, 1);
      const rows = [{ name: 'pods, client-ts', values: [1, 1, ratio] }];
      const args = [part, '--peer', 'PATH'];
      return { ...rest, commit, args, tables: [{ ...tables[0], title, rows }] };
    };
    const ratios = ratiosOf([
      titled('watch', 'old', 'one', 1),
      titled('sync', 'pods', 'one', 2),
      titled('watch', 'new', 'two', 3),
      titled('sync', 'widgets', 'one', 4),
      titled('sync', 'pods', 'one', 5),
    ]);
    assert.deepEqual(
      ratios.map(({ title, ratio }) => [title, ratio]),
      [
        ['new', 3],
        ['pods', 5],
        ['widgets', 4],
      ],
    );
  });
});
