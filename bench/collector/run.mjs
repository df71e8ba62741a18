// npm run bench -- collector [sqlite] [bulk] [kill] [--changes N] [--kills N]
// The event collector as it is started by people, in a process of its own: how many events it keeps
// in a second, whether its memory stays flat, and whether anything is missing after kill -9.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { eventsIn, finalCounts } from './event-log.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    changes: { type: 'string', default: '1000000' },
    kills: { type: 'string', default: '10' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`npm run bench -- collector [sqlite] [bulk] [kill]
  sqlite         into the database
  bulk           into an HTTP endpoint for bulk requests, through the Elasticsearch client
  kill           into the database, killed with SIGKILL in the middle, then compared with the log
  --changes N    changes that the server sends (1000000); 9 of 10 are new events
  --kills N      how often it is killed (10)`);
  process.exit(0);
}
const changes = Number(values.changes);
const wanted = positionals.length === 0 ? ['sqlite', 'bulk', 'kill'] : positionals;
const main = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url));
const { EventArchive } = await import('../../packages/collector/dist/index.js');
const directory = mkdtempSync(join(tmpdir(), 'client-ts-bench-'));
/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set();

/** Starts one of the servers here; gives its address. @param {string} file @param {...string} args */
async function startServer(file, ...args) {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.add(child);
  const [chunk] = await once(child.stdout, 'data');
  return String(chunk).trim();
}

/** @param {string} server @param {readonly string[]} args */
function startCollector(server, args) {
  const child = spawn(process.execPath, [main, 'collect-events', '--server', server, ...args], {
    cwd: directory,
    env: { ...process.env, KUBECONFIG: '/dev/null' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.add(child);
  child.stderr.on('data', (chunk) => {
    if (process.env['BENCH_DEBUG']) process.stderr.write(chunk);
  });
  return child;
}

/** Resident memory in MB, where the system reports it. @param {number | undefined} pid */
function memoryOf(pid) {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return Number.NaN;
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(path, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

/**
 * Waits until `count` says that all is there, and looks at the memory on the way.
 * @param {import('node:child_process').ChildProcess} child
 * @param {() => Promise<number> | number} count @param {number} goal
 */
async function follow(child, count, goal) {
  const samples = [];
  let startedAt = 0;
  for (;;) {
    await sleep(250);
    if (child.exitCode !== null) throw new Error(`the collector has ended with ${child.exitCode}`);
    const done = await count();
    if (done > 0 && startedAt === 0) startedAt = performance.now() - 250;
    samples.push({ done, memory: memoryOf(child.pid) });
    if (done >= goal) break;
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const at = (/** @type {number} */ part) =>
    Math.round(samples.find(({ done }) => done >= goal * part)?.memory ?? Number.NaN);
  const peak = Math.round(Math.max(...samples.map(({ memory }) => memory)));
  return { seconds, memory: [0.1, 0.25, 0.5, 0.75, 1].map(at), peak };
}

/** @param {string} name @param {Awaited<ReturnType<typeof follow>>} result @param {number} done */
function print(name, { seconds, memory, peak }, done) {
  const rate = Math.round(done / seconds).toLocaleString('en-US');
  console.log(
    `${name}: ${done.toLocaleString('en-US')} changes in ${seconds.toFixed(1)} s, ${rate} a second; ` +
      `memory at 10, 25, 50, 75, 100 %: ${memory.join(', ')} MB, at most ${peak} MB`,
  );
}

/** How far the database has come, without reading it: the version of the position. @param {string} path */
function versionIn(path) {
  if (!existsSync(path)) return 0;
  try {
    using archive = new EventArchive(path);
    return Number(archive.position?.resourceVersion ?? 0);
  } catch {
    return 0;
  }
}

/** @param {import('node:child_process').ChildProcess} child @param {NodeJS.Signals} signal */
async function end(child, signal) {
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
  children.delete(child);
}

/** @param {import('node:child_process').ChildProcess} child @param {() => boolean} condition */
async function until(child, condition) {
  while (!condition()) {
    if (child.exitCode !== null) throw new Error(`the collector has ended with ${child.exitCode}`);
    await sleep(5);
  }
}

async function measureSqlite() {
  const path = join(directory, 'events.db');
  const child = startCollector(await startServer('./server.mjs', `${changes}`), []);
  const result = await follow(child, () => versionIn(path), changes);
  await end(child, 'SIGTERM');
  print('SQLite', result, changes);
  compare(path);
  console.log(`  ${Math.round(statSync(path).size / eventsIn(changes))} bytes of file per event`);
}

async function measureBulk() {
  const bulk = await startServer('./bulk.mjs');
  const args = ['--sqlite=false', '--elasticsearch', bulk, '--spool', 'bulk.spool'];
  const child = startCollector(await startServer('./server.mjs', `${changes}`), args);
  const count = async () => Number((await (await fetch(`${bulk}/count`)).json()).documents);
  // Events that changed while they waited are sent once.
  const result = await follow(child, count, eventsIn(changes));
  await end(child, 'SIGTERM');
  print('bulk requests', result, changes);
}

async function measureKill() {
  const path = join(directory, 'killed.db');
  const total = Math.min(changes, 300_000);
  const server = await startServer('./server.mjs', `${total}`);
  const kills = Number(values.kills);
  for (let kill = 1; kill <= kills; kill += 1) {
    const child = startCollector(server, ['--file', 'killed.db']);
    const goal = (total * kill) / (kills + 1);
    await until(child, () => versionIn(path) >= goal);
    await end(child, 'SIGKILL');
  }
  const child = startCollector(server, ['--file', 'killed.db']);
  await until(child, () => versionIn(path) >= total);
  await end(child, 'SIGTERM');
  console.log(`killed ${kills} times on the way to ${total.toLocaleString('en-US')} changes`);
  compare(path, total);
}

/** Every event of the log, once, with its last count. @param {string} path */
function compare(path, total = changes) {
  using archive = new EventArchive(path);
  const kept = new Map(archive.query({}).events.map(({ uid, count }) => [uid, count]));
  let missing = 0;
  let wrong = 0;
  for (const [uid, count] of finalCounts(total)) {
    if (!kept.has(uid)) missing += 1;
    else if (kept.get(uid) !== count) wrong += 1;
  }
  const extra = kept.size + missing - eventsIn(total);
  console.log(
    `  compared with the server's log: ${kept.size.toLocaleString('en-US')} events, ${missing} missing, ${wrong} with an old count, ${extra} too many`,
  );
  if (missing + wrong + extra > 0) process.exitCode = 1;
}

try {
  if (wanted.includes('sqlite')) await measureSqlite();
  if (wanted.includes('bulk')) await measureBulk();
  if (wanted.includes('kill')) await measureKill();
} finally {
  for (const child of children) child.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
}
