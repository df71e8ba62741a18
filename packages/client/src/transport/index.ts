export type {
  AuthConfig,
  Config,
  Credentials,
  CredentialSource,
  ImpersonationConfig,
  Middleware,
  TlsConfig,
  WarningHandler,
} from './config.ts';
export type {
  Transport,
  TransportHeaders,
  TransportRequest,
  TransportResponse,
} from './transport.ts';
