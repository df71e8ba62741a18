export { ApiServer, type ApiServerOptions, type CompactOptions } from './server/api-server.ts';
