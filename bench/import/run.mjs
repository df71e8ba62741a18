// npm run bench -- import [--rounds N]
// What a program pays before its first request: import time, memory and installed size of the packed
// library, beside @kubernetes/client-node. Each is installed alone in an empty folder.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { format, median, table } from '../lib/report.mjs';

const PEER = '@kubernetes/client-node@2.0.0';
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log('npm run bench -- import [--rounds N]\nNeeds the npm registry for the peer.');
  process.exit(0);
}
const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'client-ts-import-'));
const note = (text) => process.stderr.write(`${text}\n`);

function npm(cwd, ...args) {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

/** An empty project with one package in it. */
function install(name, what) {
  const project = join(folder, name);
  execFileSync('mkdir', [project]);
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
  npm(project, 'install', '--omit=dev', what);
  return project;
}

function sizeOf(path) {
  const entry = statSync(path);
  if (!entry.isDirectory()) return entry.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

function packagesOf(project) {
  const listed = npm(project, 'ls', '--all', '--parseable').trim().split('\n');
  return listed.length - 1;
}

/** Processor and wall time of imports in a process of their own, and the memory after them. */
function measure(project, specifiers) {
  const program = `
    const before = process.cpuUsage(); const start = performance.now();
    for (const specifier of ${JSON.stringify(specifiers)}) await import(specifier);
    const { user, system } = process.cpuUsage(before);
    console.log(JSON.stringify({ wall: performance.now() - start, cpu: (user + system) / 1000, rss: process.memoryUsage().rss / 1e6 }));`;
  const file = join(project, 'measure.mjs');
  writeFileSync(file, program);
  return JSON.parse(execFileSync(process.execPath, [file], { encoding: 'utf8' }));
}

try {
  note('Packing and installing …');
  npm(join(root, 'packages/client'), 'pack', '--pack-destination', folder);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  const ours = install('client-ts', join(folder, tarball));
  const theirs = install('peer', PEER);
  const subjects = [
    ['an empty module', ours, ['node:process']],
    ['client-ts/kubernetes', ours, ['client-ts/kubernetes']],
    ['the same and /informers', ours, ['client-ts/kubernetes', 'client-ts/informers']],
    ['client-ts', ours, ['client-ts']],
    [PEER, theirs, ['@kubernetes/client-node']],
  ];
  const runs = new Map(subjects.map(([name]) => [name, []]));
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [name, project, specifiers] of subjects)
      runs.get(name).push(measure(project, specifiers));
  }
  const of = (name, key) => median(runs.get(name).map((run) => run[key]));
  console.log(
    table(
      ['import', 'wall, ms', 'processor, ms', 'memory after, MB'],
      subjects.map(([name]) => [
        name,
        ...['wall', 'cpu', 'rss'].map((key) => format(of(name, key))),
      ]),
    ),
  );
  console.log(
    `\n${table(
      ['installed alone', 'MB', 'packages'],
      [
        ['client-ts', ours],
        [PEER, theirs],
      ].map(([name, project]) => [
        name,
        format(sizeOf(join(project, 'node_modules')) / 1e6),
        packagesOf(project),
      ]),
    )}`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
