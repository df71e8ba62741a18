import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/errors.ts';

/**
 * Every way in which discovery, the REST mapper and the scale client fail by themselves, and what to
 * do about it. The keys are stable.
 */
export const DISCOVERY_ERRORS = {
  DISCOVERY_DOCUMENT_INVALID: {
    retry: 'never',
    hint: 'Check the address of the server, and what stands between it and this program.',
  },
  DISCOVERY_INCOMPLETE: {
    retry: 'later',
    hint: 'Look at `failures`: it has the reason for each group-version.',
  },
  DISCOVERY_STALE: {
    retry: 'never',
    hint: 'The server behind this group-version does not answer: look at its APIService.',
  },
  DISCOVERY_UNKNOWN_GROUP_VERSION: {
    retry: 'never',
    hint: 'If it is new, call invalidate() and ask again.',
  },
  DISCOVERY_AMBIGUOUS_MATCH: {
    retry: 'never',
    hint: 'Say which group is meant.',
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
 * What the server serves could not be found out, or what was looked for is not there or not
 * unique. A refusal by the server itself is an `ApiError`.
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

/** The server knows the group-version but cannot say now what is in it. */
export function staleGroupVersion(groupVersion: string): DiscoveryError {
  return new DiscoveryError('DISCOVERY_STALE', `stale GroupVersion discovery: ${groupVersion}`);
}

/**
 * Parts of discovery failed. Discovery itself does not throw it, it hands out failures beside what
 * worked; whoever cannot live with a part makes one of them.
 */
export class GroupDiscoveryFailedError extends DiscoveryError {
  /** The reason for each group-version that is missing. */
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
