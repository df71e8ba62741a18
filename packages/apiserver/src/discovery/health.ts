/** The checks of `/livez`, `/readyz` and the old `/healthz`, in the order of the list. */
export type HealthEndpoint = 'healthz' | 'livez' | 'readyz';

export interface HealthAnswer {
  readonly status: number;
  readonly text: string;
}

const CHECKS: Readonly<Record<HealthEndpoint, readonly string[]>> = {
  healthz: ['ping', 'log', 'etcd'],
  livez: ['ping', 'log', 'etcd'],
  readyz: ['ping', 'log', 'etcd', 'informer-sync', 'shutdown'],
};

/** True for the first segment of a health path. */
export function isHealthEndpoint(name: string): name is HealthEndpoint {
  return Object.hasOwn(CHECKS, name);
}

/** Returns every path that answers a health request. */
export function healthPaths(): string[] {
  return Object.entries(CHECKS).flatMap(([endpoint, checks]) => [
    `/${endpoint}`,
    ...checks.map((check) => `/${endpoint}/${check}`),
  ]);
}

/**
 * Answers a health request. A server that can answer is healthy: it has no dependencies that could
 * fail. Undefined for a check that does not exist.
 */
export function healthAnswer(
  endpoint: HealthEndpoint,
  check: string,
  query: URLSearchParams,
): HealthAnswer | undefined {
  if (check !== '') {
    return CHECKS[endpoint].includes(check) ? { status: 200, text: 'ok' } : undefined;
  }
  if (!query.has('verbose')) return { status: 200, text: 'ok' };
  const excluded = new Set(query.getAll('exclude'));
  const lines = CHECKS[endpoint].map((name) =>
    excluded.delete(name) ? `[+]${name} excluded: ok` : `[+]${name} ok`,
  );
  if (excluded.size > 0) {
    const names = [...excluded].map((name) => JSON.stringify(name)).join(', ');
    lines.push(`warn: some health checks cannot be excluded: no matches for ${names}`);
  }
  return { status: 200, text: `${lines.join('\n')}\n${endpoint} check passed\n` };
}
