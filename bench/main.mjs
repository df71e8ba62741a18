// npm run bench -- <name> [options]: measurements, each in a folder of its own.
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpus, loadavg, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ratioChart } from './lib/chart.mjs';
import { compareRuns, parseHistory, parseTables, ratiosOf } from './lib/history.mjs';
import { format, table } from './lib/report.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const historyFile = `${here}history.ndjson`;
const chartFile = fileURLToPath(new URL('../docs/images/bench.svg', import.meta.url));
const names = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(`${here}${entry.name}/run.mjs`))
  .map((entry) => entry.name);

const USAGE = `npm run bench -- <name> [options]

  ${names.join('\n  ')}

  --record     after a name: adds what was measured to bench/history.ndjson
  --compare    shows what the newest recorded runs changed, beyond the noise
  --chart      draws the recorded ratios to peers: docs/images/bench.svg

--help after a name shows its options; bench/README.md has method and results.`;

async function main([wanted, ...args]) {
  if (wanted === undefined || wanted === '--help') console.log(USAGE);
  else if (wanted === '--compare') return compare();
  else if (wanted === '--chart') drawChart();
  else if (names.includes(wanted)) return await measure(wanted, args);
  else {
    const choices = `choose one of: ${names.join(', ')}`;
    console.error(`There is no bench ${JSON.stringify(wanted)}; ${choices}`);
    return 2;
  }
  return 0;
}

async function measure(bench, args) {
  const isRecorded = args.includes('--record');
  const own = args.filter((argument) => argument !== '--record');
  const load = loadavg()[0];
  const child = spawn(process.execPath, [`${here}${bench}/run.mjs`, ...own], {
    stdio: ['inherit', isRecorded ? 'pipe' : 'inherit', 'inherit'],
  });
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    output += text;
    process.stdout.write(text);
  });
  const [status] = await once(child, 'close');
  if (status !== 0 || !isRecorded) return status ?? 1;
  const run = {
    at: new Date().toISOString(),
    commit: commit(),
    machine: machine(load),
    bench,
    // Where programs and files are says nothing about a run.
    args: own.map((argument) => (argument.includes('/') ? 'PATH' : argument)),
    tables: parseTables(output),
  };
  appendFileSync(historyFile, `${JSON.stringify(run)}\n`);
  console.log(`recorded ${run.tables.length} tables in bench/history.ndjson`);
  return 0;
}

function commit() {
  const git = (...args) => execFileSync('git', args, { cwd: here, encoding: 'utf8' }).trim();
  // The runs recorded before this one, and what is written about them, change no result.
  return git('status', '--porcelain', '--', '.', ':!history.ndjson', ':!*.md', '../packages') === ''
    ? git('rev-parse', '--short', 'HEAD')
    : `${git('rev-parse', '--short', 'HEAD')}, changed`;
}

function machine(load) {
  const [first] = cpus();
  return {
    processor: first?.model ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    load: Number(load.toFixed(1)),
  };
}

const history = () =>
  existsSync(historyFile) ? parseHistory(readFileSync(historyFile, 'utf8')) : [];

/** Fails if something got worse, so that a script can ask. */
function compare() {
  const changes = compareRuns(history());
  if (changes.length === 0)
    console.log('The newest runs are within the noise of the earlier ones.');
  else {
    const rows = changes.map(
      ({ bench, title, row, column, usual, value, change, verdict, runs }) => [
        [bench, title, row, column].filter((part) => part !== '').join(' · '),
        format(usual),
        format(value),
        `${change > 0 ? '+' : ''}${(change * 100).toFixed(0)} %`,
        String(runs),
        verdict,
      ],
    );
    console.log(table(['changed', 'before', 'now', 'change', 'runs before', ''], rows));
  }
  return changes.some(({ verdict }) => verdict === 'worse') ? 1 : 0;
}

function drawChart() {
  const ratios = ratiosOf(history());
  if (ratios.length === 0) throw new Error('no recorded run has a column with a ratio to a peer');
  writeFileSync(
    chartFile,
    ratioChart('Speed beside client-go and controller-runtime, longer is faster', ratios),
  );
  console.log(`drew ${ratios.length} ratios: docs/images/bench.svg`);
}

process.exitCode = await main(process.argv.slice(2));
