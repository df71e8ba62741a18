/**
 * The HTTP engine and the `Config` that describes a server and its credentials.
 *
 * @module
 */

export type {
  AuthConfig,
  Config,
  Credentials,
  CredentialSource,
  ImpersonationConfig,
  Middleware,
  ProtocolChoice,
  RetryDelays,
  TlsConfig,
  TransportTiming,
  WarningHandler,
} from './config.ts';
export { createTransport, type TransportOptions } from './create-transport.ts';
export type { DiagnosedOutcome, DiagnosedRequest, DiagnosticMessages } from './diagnostics.ts';
export {
  type FailedAttempt,
  TRANSPORT_ERRORS,
  TransportError,
  type TransportErrorCode,
  type TransportErrorOptions,
} from './transport-error.ts';
export type {
  ConnectionName,
  RequestTrace,
  Transport,
  TransportHeaders,
  TransportRequest,
  TransportResponse,
  Upgrade,
  UpgradeConnection,
} from './transport.ts';
