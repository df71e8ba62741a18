import { ClientError, defineErrors } from '../lib/errors.ts';
import { quoteGo } from '../lib/go-format.ts';

/** A resourceVersion is not well formed and cannot be compared. */
export class ResourceVersionError extends ClientError {
  constructor(resourceVersion: string) {
    super(
      'META_RESOURCE_VERSION_INVALID',
      `resource version is not well formed: ${quoteGo(resourceVersion)}`,
    );
  }

  static {
    defineErrors(this, 'ResourceVersionError', 'META', {
      META_RESOURCE_VERSION_INVALID: { retry: 'never' },
    });
  }
}

/**
 * True for versions that can be compared: decimal digits without a leading zero. `0` and the empty
 * string are not versions of objects; in requests they mean "any" and "newest".
 */
export function isResourceVersion(resourceVersion: string): boolean {
  // Not a regular expression: controllers check several versions for each write.
  if (resourceVersion === '' || resourceVersion.startsWith('0')) return false;
  for (let index = 0; index < resourceVersion.length; index += 1) {
    const code = resourceVersion.charCodeAt(index);
    if (code < ZERO || code > NINE) return false;
  }
  return true;
}

const ZERO = '0'.charCodeAt(0);
const NINE = '9'.charCodeAt(0);

/**
 * Compares two resourceVersions of the same resource: negative if `left` is older. They are not
 * converted to numbers, which cannot hold 64 bits: the shorter one is smaller, and equal lengths are
 * compared as text. Throws {@link ResourceVersionError} for a version that is not well formed.
 */
export function compareResourceVersions(left: string, right: string): number {
  if (!isResourceVersion(left)) throw new ResourceVersionError(left);
  if (!isResourceVersion(right)) throw new ResourceVersionError(right);
  if (left.length !== right.length) return left.length < right.length ? -1 : 1;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
