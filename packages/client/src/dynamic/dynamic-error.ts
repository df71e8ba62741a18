import { brandInstances, ClientError, isBranded } from '../lib/errors.ts';

/**
 * Every way in which handling objects of unknown kinds fails, and what to do about it. The keys are
 * stable.
 */
export const DYNAMIC_ERRORS = {
  DYNAMIC_FIELD_TYPE: 'Look at the object: the field is not what this code expects.',
  DYNAMIC_KIND_MISMATCH: 'Ask the server for the version that the descriptor is for.',
} as const;

/** The codes of {@link DynamicError}. */
export type DynamicErrorCode = keyof typeof DYNAMIC_ERRORS;

const brand: unique symbol = Symbol.for('client-ts.DynamicError');

/** An object is not what it was taken for. */
export class DynamicError extends ClientError {
  declare readonly code: DynamicErrorCode;

  constructor(code: DynamicErrorCode, message: string) {
    super(code, message, { hint: DYNAMIC_ERRORS[code] });
  }

  static {
    brandInstances(this.prototype, 'DynamicError', brand);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(this, DynamicError, brand, value);
  }
}
