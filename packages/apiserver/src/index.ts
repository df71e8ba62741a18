export { ApiServer, type ApiServerConfig, type ApiServerOptions, type CompactOptions } from './server/api-server.ts';
