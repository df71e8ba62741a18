// npm run bench -- transport [gets|watches] [--requests N] [--rounds N] [--no-peer] [--go-peer PROGRAM] [--watches 1,10,100]
// What a request costs beside other clients, and how watches fare over HTTP/1.1 and HTTP/2.
import { fork } from 'node:child_process';
import { parseArgs } from 'node:util';
import { measureClients, measureGets } from './gets.mjs';
import { measureWatches } from './watches.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    requests: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '5' },
    parallel: { type: 'string', default: '1000' },
    peer: { type: 'boolean', default: true },
    'go-peer': { type: 'string' },
    watches: { type: 'string', default: '1,10,100' },
    history: { type: 'string', default: '2000' },
    writes: { type: 'string', default: '50' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(
    'npm run bench -- transport [gets] [watches] [--requests N] [--parallel N] [--rounds N] [--no-peer] [--go-peer PROGRAM] [--watches 1,10,100] [--history EVENTS] [--writes N]',
  );
  process.exit(0);
}
const wanted = positionals.length === 0 ? ['gets', 'watches'] : positionals;
const rounds = Number(values.rounds);

const child = fork(new URL('./server.mjs', import.meta.url), { stdio: 'inherit' });
const next = () => new Promise((resolve) => child.once('message', resolve));
const server = await next();
const ask = () => {
  const answer = next();
  child.send('connections');
  return answer;
};
try {
  if (wanted.includes('gets')) {
    const requests = Number(values.requests);
    console.log(await measureGets(server, ask, { requests, rounds, withPeer: values.peer }));
    const { 'go-peer': peer } = values;
    const parallel = Number(values.parallel);
    console.log(`\n${measureClients(server, { sequential: requests, parallel, rounds, peer })}\n`);
  }
  if (wanted.includes('watches')) {
    const counts = values.watches.split(',').map(Number);
    const history = Number(values.history);
    const writes = Number(values.writes);
    console.log(await measureWatches(server, { counts, history, rounds, writes }));
  }
} finally {
  child.kill();
}
