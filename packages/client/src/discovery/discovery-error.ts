import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/errors.ts';

/** The errors of discovery, the REST mapper and the scale client. The keys are stable. */
export const DISCOVERY_ERRORS = {
  DISCOVERY_DOCUMENT_INVALID: {
    retry: 'never',
    hint: 'Check the URL of the server, and its proxies.',
  },
  DISCOVERY_INCOMPLETE: {
    retry: 'later',
    hint: 'See `failures`: it has the error of each group-version.',
  },
  DISCOVERY_STALE: {
    retry: 'never',
    hint: 'The server of this group-version does not answer: check its APIService.',
  },
  DISCOVERY_UNKNOWN_GROUP_VERSION: {
    retry: 'never',
    hint: 'If it is new, call invalidate() and retry.',
  },
  DISCOVERY_AMBIGUOUS_MATCH: {
    retry: 'never',
    hint: 'Name the group.',
  },
  DISCOVERY_NO_MATCH: {
    retry: 'never',
    hint: 'Check the spelling, and that the custom resource definition is installed.',
  },
  DISCOVERY_SCALE_UNSUPPORTED: {
    retry: 'never',
    hint: 'Only what has a `scale` subresource can be scaled; see its discovery document.',
  },
} as const;

/** The codes of {@link DiscoveryError}. */
export type DiscoveryErrorCode = keyof typeof DISCOVERY_ERRORS;

/**
 * Discovery failed, or a resource is missing or ambiguous. A refusal by the server is an
 * `ApiError`.
 */
export class DiscoveryError extends ClientError {
  declare readonly code: DiscoveryErrorCode;

  constructor(code: DiscoveryErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'DiscoveryError', 'DISCOVERY', DISCOVERY_ERRORS);
  }
}

/** The server lists the group-version but cannot return its resources now. */
export function staleGroupVersion(groupVersion: string): DiscoveryError {
  return new DiscoveryError('DISCOVERY_STALE', `stale GroupVersion discovery: ${groupVersion}`);
}

/**
 * Some group-versions could not be read. Discovery does not throw it but returns `failures` beside
 * the rest; callers that need everything can throw it.
 */
export class GroupDiscoveryFailedError extends DiscoveryError {
  /** The error of each missing group-version. */
  readonly failures: ReadonlyMap<string, Error>;

  constructor(failures: ReadonlyMap<string, Error>) {
    const each = [...failures]
      .map(([groupVersion, { message }]) => `${groupVersion}: ${message}`)
      .sort()
      .join(', ');
    super(
      'DISCOVERY_INCOMPLETE',
      `unable to retrieve the complete list of server APIs: ${each}`,
      failures.size === 0 ? {} : { cause: failures.values().next().value },
    );
    this.failures = failures;
  }

  static {
    defineErrors(this, 'GroupDiscoveryFailedError');
  }
}
