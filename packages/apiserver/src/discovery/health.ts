import { quoteGo } from 'client-ts/internal';

/** The checks of `/livez`, `/readyz` and the old `/healthz`, in the order of the list. */
export type HealthEndpoint = 'healthz' | 'livez' | 'readyz';

export interface HealthAnswer {
  readonly status: number;
  readonly text: string;
}

/** What a real server has started when it is healthy; this one has before it listens. */
const STARTED: readonly string[] = [
  'poststarthook/start-apiserver-admission-initializer',
  'poststarthook/generic-apiserver-start-informers',
  'poststarthook/priority-and-fairness-config-consumer',
  'poststarthook/priority-and-fairness-filter',
  'poststarthook/storage-object-count-tracker-hook',
  'poststarthook/start-apiextensions-informers',
  'poststarthook/start-apiextensions-controllers',
  'poststarthook/crd-informer-synced',
  'poststarthook/start-system-namespaces-controller',
  'poststarthook/peer-endpoint-reconciler-controller',
  'poststarthook/start-cluster-authentication-info-controller',
  'poststarthook/start-kube-apiserver-identity-lease-controller',
  'poststarthook/start-kube-apiserver-identity-lease-garbage-collector',
  'poststarthook/storage-readiness',
  'poststarthook/start-legacy-token-tracking-controller',
  'poststarthook/start-service-ip-repair-controllers',
  'poststarthook/rbac/bootstrap-roles',
  'poststarthook/scheduling/bootstrap-system-priority-classes',
  'poststarthook/priority-and-fairness-config-producer',
  'poststarthook/bootstrap-controller',
  'poststarthook/start-kubernetes-service-cidr-controller',
  'poststarthook/start-kube-aggregator-informers',
  'poststarthook/apiservice-status-local-available-controller',
  'poststarthook/apiservice-status-remote-available-controller',
  'poststarthook/apiservice-registration-controller',
  'poststarthook/apiservice-discovery-controller',
  'poststarthook/kube-apiserver-autoregistration',
  'autoregister-completion',
  'poststarthook/apiservice-openapi-controller',
  'poststarthook/apiservice-openapiv3-controller',
];

const LIVE = ['ping', 'log', 'loopback-serving-certificate', 'etcd', ...STARTED];

const CHECKS: Readonly<Record<HealthEndpoint, readonly string[]>> = {
  healthz: LIVE,
  livez: LIVE,
  readyz: ['ping', 'log', 'etcd', 'etcd-readiness', 'informer-sync', ...STARTED, 'shutdown'],
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
    const names = [...excluded].sort().map(quoteGo).join(',');
    lines.push(`warn: some health checks cannot be excluded: no matches for ${names}`);
  }
  return { status: 200, text: `${lines.join('\n')}\n${endpoint} check passed\n` };
}
