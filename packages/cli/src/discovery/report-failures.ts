import { CliError } from '../frame/cli-error.ts';

/**
 * Throws if discovery of a group-version failed. Called after the others were printed: one
 * aggregated API server that is down must not hide the rest, and must not go unnoticed.
 */
export function reportFailures(failures: ReadonlyMap<string, Error>): void {
  if (failures.size === 0) return;
  const listed = [...failures].map(([groupVersion, error]) => `${groupVersion}: ${error.message}`);
  throw new CliError('CLI_DISCOVERY_INCOMPLETE', `discovery is incomplete: ${listed.join('; ')}`, {
    cause: [...failures.values()][0],
  });
}
