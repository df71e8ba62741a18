/** The version of the package. */
const VERSION = '0.1.0';

/**
 * Who sends a request, if the configuration does not say. Servers note the part before the slash as
 * the manager of the fields that the request writes.
 */
export function defaultUserAgent(): string {
  const { arch, platform, versions } = process;
  return `client-ts/${VERSION} (${platform}/${arch}) node/${versions.node}`;
}
