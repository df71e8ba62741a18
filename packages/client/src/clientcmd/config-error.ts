import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/index.ts';

/** The errors of kubeconfigs and credentials. The keys are stable. */
export const CONFIG_ERRORS = {
  CONFIG_EMPTY: { retry: 'never', when: 'No cluster is configured.' },
  CONFIG_EXEC_FAILED: {
    retry: 'later',
    when: 'A credential plugin could not be run, or did not print credentials.',
  },
  CONFIG_INVALID: {
    retry: 'never',
    when: 'A value is invalid, missing, or contradicts another one.',
  },
  CONFIG_NOT_FOUND: {
    retry: 'never',
    when: 'A named context, cluster or user does not exist.',
  },
  CONFIG_NOT_IN_CLUSTER: { retry: 'never', when: 'This process does not run in a pod.' },
  CONFIG_OIDC_FAILED: { retry: 'later', when: 'An OIDC token could not be refreshed.' },
  CONFIG_UNREADABLE: { retry: 'never', when: 'A file cannot be read.' },
  CONFIG_UNWRITABLE: {
    retry: 'later',
    when: 'A file cannot be written, or another program holds its lock.',
  },
} as const;

/** The codes of {@link ConfigError}. */
export type ConfigErrorCode = keyof typeof CONFIG_ERRORS;

/**
 * A kubeconfig or its credentials cannot be used. The message names file, stanza and field, never a
 * secret.
 */
export class ConfigError extends ClientError {
  declare readonly code: ConfigErrorCode;

  constructor(code: ConfigErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'ConfigError', 'CONFIG', CONFIG_ERRORS);
  }
}
