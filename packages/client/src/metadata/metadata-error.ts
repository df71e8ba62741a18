import { brandInstances, ClientError, isBranded } from '../lib/errors.ts';

/** Every way in which the metadata client fails by itself, and what to do about it. */
export const METADATA_ERRORS = {
  METADATA_MISSING: 'Check the resource, and what stands between here and the server.',
} as const;

/** The codes of {@link MetadataError}. */
export type MetadataErrorCode = keyof typeof METADATA_ERRORS;

const brand: unique symbol = Symbol.for('client-ts.MetadataError');

/** The server answered something that has no metadata. */
export class MetadataError extends ClientError {
  declare readonly code: MetadataErrorCode;

  constructor(code: MetadataErrorCode, message: string) {
    super(code, message, { hint: METADATA_ERRORS[code] });
  }

  static {
    brandInstances(this.prototype, 'MetadataError', brand);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(this, MetadataError, brand, value);
  }
}
