import { join } from 'node:path';
import { ApiServer } from '@client-ts/apiserver';
import { FileStore } from './file-store.ts';

/**
 * The process that is killed: an embedded server that keeps its state in the directory of the first
 * argument. The second is `sqlite`, `file` for an injected store, or `early` for one that
 * acknowledges writes before it keeps them.
 */
const [directory = '', store = 'sqlite'] = process.argv.slice(2);
const server = await ApiServer.start(
  store === 'sqlite'
    ? { data: directory }
    : { store: new FileStore(join(directory, 'cluster.ndjson'), store === 'early') },
);
process.stdout.write(`${JSON.stringify(server.config)}\n`);
