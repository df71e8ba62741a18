import { ClientError } from 'client-ts/internal';

/**
 * Fails if a part of what the server serves could not be found out. Called after the rest was
 * printed: one API server that is down must not hide all the others, and must not go unnoticed.
 */
export function reportFailures(failures: ReadonlyMap<string, Error>): void {
  if (failures.size === 0) return;
  const listed = [...failures].map(([groupVersion, error]) => `${groupVersion}: ${error.message}`);
  throw new ClientError(
    'DISCOVERY_INCOMPLETE',
    `the server could not tell everything that it serves: ${listed.join('; ')}`,
    { cause: [...failures.values()][0] },
  );
}
