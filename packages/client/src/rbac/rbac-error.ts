import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/errors.ts';

/** The codes of {@link RbacError}, with their hints. */
export const RBAC_ERRORS = {
  RBAC_DENIED: {
    retry: 'never',
    hint: 'Add the rules that the message names to the role of the program, or do without the requests.',
  },
  RBAC_NO_ROLES: {
    retry: 'never',
    hint: 'Pass the Role or ClusterRole of the program, for example with readManifestFiles.',
  },
} as const;

/** The codes of {@link RbacError}. */
export type RbacErrorCode = keyof typeof RBAC_ERRORS;

/** A program needs more than its role allows, or there is no role. */
export class RbacError extends ClientError {
  declare readonly code: RbacErrorCode;

  constructor(code: RbacErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'RbacError', 'RBAC', RBAC_ERRORS);
  }
}
