import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/errors.ts';
import type { ManifestResult } from './types.ts';

/** The codes of {@link ManifestError}. Codes are stable. */
export const MANIFESTS_ERRORS = {
  MANIFESTS_FAILED: {
    retry: 'later',
    when: 'At least one of the objects could not be applied or deleted. The others were.',
    hint: 'Each failed result of the error has an error of its own.',
  },
  MANIFESTS_INVALID: {
    retry: 'never',
    when: 'A document is not YAML or JSON, or not an object with apiVersion, kind and name. Nothing was sent.',
    hint: 'Correct the document that the message names.',
  },
  MANIFESTS_UNREADABLE: {
    retry: 'never',
    when: 'A file does not exist or cannot be read. Nothing was sent.',
    hint: 'Check the path, and the permissions of the file.',
  },
} as const;

/** The codes of {@link ManifestError}. */
export type ManifestErrorCode = keyof typeof MANIFESTS_ERRORS;

/** Options of {@link ManifestError}. */
export interface ManifestErrorOptions extends ClientErrorOptions {
  readonly results?: readonly ManifestResult[] | undefined;
}

/** Manifests that cannot be read, or that a server refused. */
export class ManifestError extends ClientError {
  declare readonly code: ManifestErrorCode;
  /** With `MANIFESTS_FAILED`: the results of all objects, in the order in which they were sent. */
  readonly results: readonly ManifestResult[];

  constructor(code: ManifestErrorCode, message: string, options: ManifestErrorOptions = {}) {
    super(code, message, options);
    this.results = options.results ?? [];
  }

  static {
    defineErrors(this, 'ManifestError', 'MANIFESTS', MANIFESTS_ERRORS);
  }
}
