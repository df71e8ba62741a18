import { ClientError, type ClientErrorOptions } from '../lib/index.ts';

/** Why a configuration cannot be used; the values are stable. */
export type ConfigErrorCode =
  /** Nothing says which cluster to talk to. */
  | 'CONFIG_EMPTY'
  /** A credential plugin could not be run, or did not give credentials. */
  | 'CONFIG_EXEC_FAILED'
  /** A value is wrong, missing, or does not go with another one. */
  | 'CONFIG_INVALID'
  /** A context, cluster or user is named that is not there. */
  | 'CONFIG_NOT_FOUND'
  /** This process does not run in a pod. */
  | 'CONFIG_NOT_IN_CLUSTER'
  /** An OIDC token could not be refreshed. */
  | 'CONFIG_OIDC_FAILED'
  /** A file cannot be read. */
  | 'CONFIG_UNREADABLE'
  /** A file cannot be written, or somebody else holds its lock. */
  | 'CONFIG_UNWRITABLE';

/** A configuration that cannot be used. The message names file, stanza and field; never a secret. */
export class ConfigError extends ClientError {
  override readonly name: string = 'ConfigError';
  declare readonly code: ConfigErrorCode;

  constructor(code: ConfigErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }
}
