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
  return /^[1-9][0-9]*$/.test(resourceVersion);
}

/**
 * Compares two resourceVersions of the same resource: negative if `left` is older. They are not
 * converted to numbers, which cannot hold 64 bits: the shorter one is smaller, and equal lengths are
 * compared as text. Throws {@link ResourceVersionError} for a version that is not well formed.
 */
export function compareResourceVersions(left: string, right: string): number {
  for (const version of [left, right]) {
    if (!isResourceVersion(version)) throw new ResourceVersionError(version);
  }
  if (left.length !== right.length) return left.length < right.length ? -1 : 1;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
