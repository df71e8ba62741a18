import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type Clock, systemClock } from '../lib/clock.ts';
import type { DiagnosticMessages } from '../transport/diagnostics.ts';
import type { MetricsRegistry } from './metrics-registry.ts';

/** From 10 minutes to 4 years. */
const ROTATION_SECONDS: readonly number[] = [
  600, 1800, 3600, 14_400, 86_400, 604_800, 2_592_000, 7_776_000, 15_552_000, 31_104_000,
  124_416_000,
];

/** Options of {@link credentialMetrics}. */
export interface CredentialMetricsOptions {
  readonly clock?: Clock | undefined;
}

/**
 * Measures credential plugins and CA files of all clients of this process, under the names of
 * client-go, until it is disposed: `rest_client_exec_plugin_call_total{code,call_status}`,
 * `rest_client_exec_plugin_ttl_seconds` (`+Inf` if no plugin provides certificates),
 * `rest_client_exec_plugin_certificate_rotation_age` and
 * `rest_client_transport_ca_reload_total{result,reason}`.
 */
export function credentialMetrics(
  registry: MetricsRegistry,
  { clock = systemClock }: CredentialMetricsOptions = {},
): Disposable {
  const metrics = registeredMetrics(registry);
  /** By plugin; the earliest is shown. */
  const expiries = new Map<number, number>();
  const onExec = (message: unknown): void => {
    const { plugin, status, exitCode, certificate, replaced } =
      message as DiagnosticMessages['client-ts:credentials:exec'];
    metrics.calls.labels({ code: String(exitCode), call_status: status }).inc();
    if (certificate !== undefined) expiries.set(plugin, certificate.expiresAt);
    if (replaced !== undefined) metrics.age.observe((clock.now() - replaced.issuedAt) / 1000);
  };
  const onReload = (message: unknown): void => {
    const { what, outcome, error } = message as DiagnosticMessages['client-ts:credentials:reload'];
    if (what !== 'ca') return;
    const isUpdated = outcome === 'updated';
    const reason = isUpdated ? 'updated' : isReadError(error) ? 'read_error' : 'ca_parse_error';
    metrics.reloads.labels({ result: isUpdated ? 'success' : 'failure', reason }).inc();
  };
  subscribe('client-ts:credentials:exec', onExec);
  subscribe('client-ts:credentials:reload', onReload);
  const collecting = registry.onCollect(() => {
    metrics.ttl.set((Math.min(...expiries.values()) - clock.now()) / 1000);
  });
  return {
    [Symbol.dispose]: () => {
      unsubscribe('client-ts:credentials:exec', onExec);
      unsubscribe('client-ts:credentials:reload', onReload);
      collecting[Symbol.dispose]();
    },
  };
}

function registeredMetrics(registry: MetricsRegistry) {
  return {
    calls: registry.counter({
      name: 'rest_client_exec_plugin_call_total',
      help: 'Number of runs of credential plugins, by exit code and what happened.',
      labelNames: ['code', 'call_status'],
    }),
    ttl: registry
      .gauge({
        name: 'rest_client_exec_plugin_ttl_seconds',
        help: 'Time until the first client certificate of a credential plugin expires in seconds.',
      })
      .labels({}),
    age: registry
      .histogram({
        name: 'rest_client_exec_plugin_certificate_rotation_age',
        help: 'Age of client certificates of credential plugins when they are replaced in seconds.',
        buckets: ROTATION_SECONDS,
      })
      .labels({}),
    reloads: registry.counter({
      name: 'rest_client_transport_ca_reload_total',
      help: 'Number of changes of CA files, by result and reason.',
      labelNames: ['result', 'reason'],
    }),
  };
}

/** The file could not be read; any other error is about its content. */
function isReadError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'syscall' in error;
}
