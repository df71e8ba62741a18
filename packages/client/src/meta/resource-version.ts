import { ClientError, defineErrors } from '../lib/errors.ts';
import { quoteGo } from '../lib/go-format.ts';

/** A resourceVersion that cannot be ordered. */
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
 * True for versions that can be ordered: decimal digits, no leading zero. `0` and the empty string
 * have meanings of their own in requests ("any", "newest") and belong to no object.
 */
export function isResourceVersion(resourceVersion: string): boolean {
  return /^[1-9][0-9]*$/.test(resourceVersion);
}

/**
 * Orders two resourceVersions of the same resource: negative if `left` is older. They are never
 * read as numbers, because 64 bits do not fit into one: the shorter is smaller, and equal lengths
 * compare as text. Throws {@link ResourceVersionError} for anything that is not well formed.
 */
export function compareResourceVersions(left: string, right: string): number {
  for (const version of [left, right]) {
    if (!isResourceVersion(version)) throw new ResourceVersionError(version);
  }
  if (left.length !== right.length) return left.length < right.length ? -1 : 1;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
