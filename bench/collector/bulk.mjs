// A server that takes bulk requests and counts documents: `GET /count`. node bulk.mjs [DELAY_MS]
import { createServer } from 'node:http';

const delayMs = Number(process.argv[2] ?? 0);
let documents = 0;

const server = createServer((request, response) => {
  response.setHeader('x-elastic-product', 'Elasticsearch');
  response.setHeader('content-type', 'application/vnd.elasticsearch+json;compatible-with=8');
  /** @type {Buffer[]} */
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    if (request.url === '/count') {
      response.end(JSON.stringify({ documents }));
      return;
    }
    if (request.url !== '/_bulk') {
      response.end('{}');
      return;
    }
    let lines = 0;
    for (const chunk of chunks) for (const byte of chunk) if (byte === 10) lines += 1;
    documents += lines / 2;
    const items = Array.from({ length: lines / 2 }, () => ({ index: { status: 201 } }));
    setTimeout(() => response.end(JSON.stringify({ errors: false, items })), delayMs);
  });
});

server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
