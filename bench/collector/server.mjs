// A server that sends CHANGES changes of events, as fast as they are taken, from any version on.
// node server.mjs CHANGES: prints its address.
import { createServer } from 'node:http';
import { change } from './event-log.mjs';

const changes = Number(process.argv[2]);
const SLICE = 200;

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  response.setHeader('content-type', 'application/json');
  if (url.searchParams.get('watch') === null) {
    const list = {
      apiVersion: 'v1',
      kind: 'EventList',
      metadata: { resourceVersion: '0' },
      items: [],
    };
    // Nothing at first, so that everything comes by the watch. Version 0 would mean "any".
    list.metadata.resourceVersion = '1';
    response.end(JSON.stringify({ ...list, items: [change(1).object] }));
    return;
  }
  const from = Number(url.searchParams.get('resourceVersion'));
  void send(from + 1, response);
});

/** @param {number} first @param {import('node:http').ServerResponse} response */
async function send(first, response) {
  response.flushHeaders();
  for (let n = first; n <= changes; n += SLICE) {
    let text = '';
    for (let each = n; each < Math.min(n + SLICE, changes + 1); each += 1) {
      text += `${JSON.stringify(change(each))}\n`;
    }
    if (!response.write(text)) await room(response);
    if (response.destroyed) return;
  }
}

/** Until the other side has read on, or is gone. @param {import('node:http').ServerResponse} response */
function room(response) {
  return new Promise((resolve) => {
    const go = () => {
      response.off('drain', go);
      response.off('close', go);
      resolve(undefined);
    };
    response.on('drain', go);
    response.on('close', go);
  });
}

server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
