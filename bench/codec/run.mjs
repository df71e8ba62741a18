// npm run bench -- codec [--objects N] [--rounds N]
// What it costs to read a pod of everyday size, and to keep it: plain, read-only, and by JSON.parse.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { format, median, table } from '../lib/report.mjs';
import { encodings, reader, READERS } from './readers.mjs';

const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '7' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log('npm run bench -- codec [--objects N] [--rounds N]');
  process.exit(0);
}
const objects = Number(values.objects);
const rounds = Number(values.rounds);

/** What is done with an object once it is read. */
const USES = {
  nothing: () => 0,
  'metadata.name': (pod) => pod.metadata.name.length,
  'spec.nodeName': (pod) => pod.spec.nodeName.length,
  everything: (pod) => JSON.stringify(pod).length,
};

/** Microseconds of processor time for one object, the middle of all rounds. */
function microseconds(read, use) {
  const results = [];
  let seen = 0;
  for (let round = 0; round <= rounds; round += 1) {
    const count = round === 0 ? 2000 : 5000;
    const start = process.cpuUsage();
    for (let index = 0; index < count; index += 1) seen += use(read(index));
    const { user, system } = process.cpuUsage(start);
    if (round > 0) results.push((user + system) / count);
  }
  if (seen < 0) throw new Error('nothing was read');
  return median(results);
}

/** In a process of its own: live bytes for each object. */
function liveBytes(name, use) {
  const script = fileURLToPath(new URL('./memory.mjs', import.meta.url));
  const args = ['--expose-gc', script, name, use, String(objects)];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  return Number(stdout);
}

const { json, protobuf } = encodings(0);
console.log(`A pod of ${json.length} bytes as JSON and ${protobuf.length} as protobuf.`);
console.log(`Node ${process.version}, median of ${rounds} rounds\n`);

const timeRows = READERS.map((name) => [
  name,
  ...Object.values(USES).map((use) => format(microseconds(reader(name), use))),
]);
console.log('Microseconds to read a watch event and touch\n');
console.log(table(['', ...Object.keys(USES)], timeRows));

const memoryRows = READERS.map((name) => [
  name,
  ...Object.keys(USES).map((use) => format(liveBytes(name, use))),
]);
console.log(`\nLive bytes for each of ${format(objects)} pods, after touching\n`);
console.log(table(['', ...Object.keys(USES)], memoryRows));
