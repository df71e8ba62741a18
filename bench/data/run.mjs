// npm run bench -- data [--objects N] [--writes N]
// What a data directory costs: writes with one and many writers, the start with many objects, memory.
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Clientset } from 'client-ts';
import { format, table } from '../lib/report.mjs';

const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '100000' },
    writes: { type: 'string', default: '2000' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log('npm run bench -- data [--objects N] [--writes N]');
  process.exit(0);
}
const objects = Number(values.objects);
const writes = Number(values.writes);
const note = (text) => process.stderr.write(`${text}\n`);

async function start(data) {
  const child = fork(new URL('./server.mjs', import.meta.url), data === undefined ? [] : [data], {
    stdio: 'inherit',
    execArgv: ['--expose-gc'],
  });
  const answer = () => new Promise((resolve) => child.once('message', resolve));
  const { config, startMs } = await answer();
  const client = new Clientset(config);
  return {
    startMs,
    maps: client.coreV1.configMaps('default'),
    memory: async () => {
      const asked = answer();
      child.send('memory');
      return (await asked).rss;
    },
    stop: async () => {
      await client.close();
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.send('stop');
      await exited;
    },
  };
}

let created = 0;
/** Creates ConfigMaps of about 1 KB, and returns how many a second. */
async function write({ maps }, count, writers) {
  const startedAt = performance.now();
  let left = count;
  await Promise.all(
    Array.from({ length: writers }, async () => {
      while (left-- > 0) {
        const name = `map-${++created}`;
        await maps.create({ metadata: { name }, data: { text: 'x'.repeat(700) } });
      }
    }),
  );
  return count / ((performance.now() - startedAt) / 1000);
}

async function measure(data) {
  note(data === undefined ? 'in memory …' : 'with a data directory …');
  const server = await start(data);
  await write(server, 500, 64);
  const one = await write(server, Math.ceil(writes / 4), 1);
  const many = await write(server, writes, 64);
  await write(server, Math.max(0, objects - created), 64);
  const memory = await server.memory();
  await server.stop();
  created = 0;
  return { one, many, memory };
}

const directory = mkdtempSync(join(tmpdir(), 'client-ts-bench-data-'));
try {
  const without = await measure(undefined);
  const kept = await measure(join(directory, 'data'));
  const again = await start(join(directory, 'data'));
  const restarted = await again.memory();
  await again.stop();
  const megabytes = (bytes) => `${format(bytes / 1e6)} MB`;
  console.log(
    table(
      ['', 'in memory', 'with `data`'],
      [
        ['creates, 1 writer', `${format(without.one)}/s`, `${format(kept.one)}/s`],
        ['creates, 64 writers', `${format(without.many)}/s`, `${format(kept.many)}/s`],
        [`memory with ${objects} ConfigMaps`, megabytes(without.memory), megabytes(kept.memory)],
        [`start with ${objects} ConfigMaps`, '', `${format(again.startMs)} ms`],
        ['memory after that start', '', megabytes(restarted)],
      ],
    ),
  );
} finally {
  rmSync(directory, { recursive: true, force: true });
}
