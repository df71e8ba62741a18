// Sequential GETs: milliseconds for each, and TLS handshakes for all of them.
import { format, median, table } from '../lib/report.mjs';
import { bareAgent, clientNode, clientTs } from './targets.mjs';

async function series(client, count) {
  const start = performance.now();
  for (let round = 0; round < count; round += 1) {
    const { metadata } = await client.get();
    if (metadata.name !== 'default') throw new Error('that is not what was asked for');
  }
  return (performance.now() - start) / count;
}

/** `ask` gives the number of connections that the door has carried so far. */
export async function measureGets(server, ask, { requests, rounds, withPeer }) {
  const makers = {
    'client-ts, HTTP/2 (default)': (target) => clientTs(target, 'auto'),
    'client-ts, HTTP/1.1': (target) => clientTs(target, 'http1'),
    'https.Agent with keep-alive': bareAgent,
    ...(withPeer && { '@kubernetes/client-node 2.0.1': clientNode }),
  };
  const results = Object.fromEntries(Object.keys(makers).map((name) => [name, { times: [] }]));
  for (const [name, make] of Object.entries(makers)) {
    const before = (await ask()).connections;
    const client = await make({ ...server, url: server.doorUrl, originalUrl: server.url });
    await series(client, requests);
    results[name].handshakes = (await ask()).connections - before;
    await client.close();
  }
  // All clients take turns in every round, so that a busy moment of the machine hits all of them.
  const clients = {};
  for (const [name, make] of Object.entries(makers)) {
    clients[name] = await make({ ...server, originalUrl: server.url });
    await series(clients[name], Math.ceil(requests / 3));
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, client] of Object.entries(clients)) {
      results[name].times.push(await series(client, requests));
    }
  }
  for (const client of Object.values(clients)) await client.close();
  return table(
    [`${requests} sequential GETs`, 'ms per GET', 'TLS handshakes'],
    Object.entries(results).map(([name, { times, handshakes }]) => [
      name,
      format(median(times)),
      handshakes,
    ]),
  );
}
