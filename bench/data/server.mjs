// The embedded server in a process of its own, with the data directory of the argument, if any.
import { ApiServer } from '@client-ts/apiserver';

const [data] = process.argv.slice(2);
const startedAt = performance.now();
const server = await ApiServer.start({ ...(data !== undefined && { data }) });
const startMs = performance.now() - startedAt;
process.on('message', async (message) => {
  if (message === 'stop') {
    await server.close();
    process.exit();
  }
  globalThis.gc?.();
  process.send({ rss: process.memoryUsage().rss });
});
process.send({ config: server.config, startMs });
