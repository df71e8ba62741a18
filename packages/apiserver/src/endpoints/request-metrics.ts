import type { Clock } from 'client-ts/internal';
import type { RequestInfo } from 'client-ts/meta';
import {
  type Counter,
  type Gauge,
  type Histogram,
  type Metric,
  MetricsRegistry,
  processMetrics,
} from 'client-ts/observe';

import { versionInfo } from '../discovery/documents.ts';
import { type ApiRequest, type ApiResponse, isPollable } from '../http.ts';
import type { Catalog } from '../registry/catalog.ts';
import type { Store } from '../store/store.ts';
import type { FlowClassifier } from './flow-classifier.ts';
import { addFlowMetrics } from './flow-metrics.ts';

/** The labels of a request. `subresource` is the path of a request that is not about a resource. */
interface RequestLabels {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly scope: string;
  readonly component: string;
}

const LABELS = [
  'component',
  'group',
  'resource',
  'scope',
  'subresource',
  'verb',
  'version',
] as const satisfies readonly (keyof RequestLabels)[];

const BUCKETS = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45,
  60,
];

/** Paths without a resource that have series of their own; the number of others has no bounds. */
const PATHS: ReadonlySet<string> = new Set([
  'api',
  'apis',
  'healthz',
  'livez',
  'metrics',
  'openapi/v2',
  'openapi/v3',
  'readyz',
  'version',
]);

const LONG_RUNNING: ReadonlySet<string> = new Set(['CONNECT', 'WATCH']);

interface RequestSeries {
  readonly total: Counter;
  readonly duration: Histogram;
}

/** What the metrics read when they are collected. */
export interface MetricsSources {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly flows: FlowClassifier;
}

/** Counts requests under the names of kube-apiserver; served at `/metrics`. */
export class RequestMetrics {
  readonly #registry = new MetricsRegistry();
  readonly #sources: MetricsSources;
  readonly #series = new Map<string, RequestSeries>();
  readonly #longRunning: Metric<keyof RequestLabels, Gauge>;
  readonly #running = new Map<string, Gauge>();
  #readOnly = 0;
  #mutating = 0;
  #isComplete = false;

  constructor(sources: MetricsSources) {
    this.#sources = sources;
    this.#longRunning = this.#registry.gauge({
      name: 'apiserver_longrunning_requests',
      help: 'Watches and other requests without an end, by verb and resource.',
      labelNames: LABELS,
    });
  }

  /** Answers a request and counts it: when it is answered, or when its stream ends. */
  async measure(
    request: ApiRequest,
    info: RequestInfo,
    answer: () => Promise<ApiResponse>,
  ): Promise<ApiResponse> {
    const started = this.#sources.clock.monotonic();
    const labels = labelsOf(request, info, this.#sources.catalog);
    const isLong = LONG_RUNNING.has(labels.verb);
    const isReadOnly = request.method === 'GET' || request.method === 'HEAD';
    if (!isLong) this.#inFlight(isReadOnly, 1);
    let response: ApiResponse;
    try {
      response = await answer();
    } finally {
      if (!isLong) this.#inFlight(isReadOnly, -1);
    }
    const { body, status } = response;
    const dryRun = info.query.get('dryRun') === 'All' ? 'All' : '';
    // Without `info`, which this would keep until a watch ends.
    const count = (): void => this.#count(labels, dryRun, status, started);
    if (!isLong || body === undefined || body instanceof Uint8Array) {
      count();
      return response;
    }
    const running = this.#runningOf(labels);
    running.inc();
    const ended = (): void => {
      running.dec();
      count();
    };
    if (!isPollable(body)) return { ...response, body: new ObservedStream(body, ended) };
    body.onEnd(ended);
    return response;
  }

  /** Returns all metrics in the text format of Prometheus. */
  text(): string {
    if (!this.#isComplete) this.#complete();
    return this.#registry.text();
  }

  #inFlight(isReadOnly: boolean, change: number): void {
    if (isReadOnly) this.#readOnly += change;
    else this.#mutating += change;
  }

  #count(labels: RequestLabels, dryRun: string, status: number, started: number): void {
    const key = `${keyOf(labels)} ${dryRun} ${status}`;
    let series = this.#series.get(key);
    if (series === undefined) {
      this.#series.set(key, (series = this.#createSeries(labels, dryRun, String(status))));
    }
    series.total.inc();
    series.duration.observe((this.#sources.clock.monotonic() - started) / 1000);
  }

  #runningOf(labels: RequestLabels): Gauge {
    const key = keyOf(labels);
    let running = this.#running.get(key);
    if (running === undefined) this.#running.set(key, (running = this.#longRunning.labels(labels)));
    return running;
  }

  #createSeries(labels: RequestLabels, dryRun: string, code: string): RequestSeries {
    const total = this.#registry.counter({
      name: 'apiserver_request_total',
      help: 'Requests, by verb, resource and HTTP status.',
      labelNames: ['code', 'dry_run', ...LABELS],
    });
    const duration = this.#registry.histogram({
      name: 'apiserver_request_duration_seconds',
      help: 'Time from the request to the response, or to the end of a stream, in seconds.',
      labelNames: ['dry_run', ...LABELS],
      buckets: BUCKETS,
    });
    return {
      total: total.labels({ ...labels, dry_run: dryRun, code }),
      duration: duration.labels({ ...labels, dry_run: dryRun }),
    };
  }

  /** Adds what is only read when the metrics are. */
  #complete(): void {
    this.#isComplete = true;
    const registry = this.#registry;
    const { store, catalog, flows } = this.#sources;
    const inFlight = registry.gauge({
      name: 'apiserver_current_inflight_requests',
      help: 'Requests that are being answered, without watches.',
      labelNames: ['request_kind'],
    });
    const objects = registry.gauge({
      name: 'apiserver_resource_objects',
      help: 'Stored objects, by resource.',
      labelNames: ['group', 'resource'],
    });
    const stored = registry.gauge({
      name: 'apiserver_storage_objects',
      help: 'Stored objects, by resource.',
      labelNames: ['resource'],
    });
    const { major, minor, gitVersion } = versionInfo(catalog.model.kubernetes) as Record<
      string,
      string
    >;
    registry
      .gauge({
        name: 'kubernetes_build_info',
        help: 'The Kubernetes release whose API this server implements; always 1.',
        labelNames: ['git_version', 'major', 'minor'],
      })
      .labels({ git_version: gitVersion ?? '', major: major ?? '', minor: minor ?? '' })
      .set(1);
    processMetrics(registry);
    addFlowMetrics(registry, flows);
    registry.onCollect(() => {
      inFlight.labels({ request_kind: 'readOnly' }).set(this.#readOnly);
      inFlight.labels({ request_kind: 'mutating' }).set(this.#mutating);
      for (const { group, resource } of catalog.registries()) {
        const count = store.count(`/${group}/${resource}/`);
        objects.labels({ group, resource }).set(count);
        stored.labels({ resource: group === '' ? resource : `${resource}.${group}` }).set(count);
      }
    });
  }
}

function keyOf({ verb, group, version, resource, subresource, scope }: RequestLabels): string {
  return `${verb} ${group} ${version} ${resource} ${subresource} ${scope}`;
}

/** A stream that reports its end, however it ends. */
class ObservedStream implements AsyncIterable<Uint8Array> {
  readonly #stream: AsyncIterable<Uint8Array>;
  readonly #onEnd: () => void;

  constructor(stream: AsyncIterable<Uint8Array>, onEnd: () => void) {
    this.#stream = stream;
    this.#onEnd = onEnd;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    const chunks = this.#stream[Symbol.asyncIterator]();
    let isOpen = true;
    const end = (): void => {
      if (isOpen) this.#onEnd();
      isOpen = false;
    };
    const check = (result: IteratorResult<Uint8Array>): IteratorResult<Uint8Array> => {
      if (result.done === true) end();
      return result;
    };
    const fail = (error: unknown): never => {
      end();
      throw error;
    };
    return {
      next: () => chunks.next().then(check, fail),
      return: async () => {
        end();
        return (await chunks.return?.()) ?? { done: true, value: undefined };
      },
    };
  }
}

function labelsOf(request: ApiRequest, info: RequestInfo, catalog: Catalog): RequestLabels {
  const { group, version, resource, subresource, namespace, name } = info;
  if (!info.isResourceRequest || catalog.served(group, version, resource) === undefined) {
    return { ...NO_RESOURCE, verb: verbOf(request, info), subresource: pathOf(info) };
  }
  const scope =
    name !== '' || info.verb === 'create' ? 'resource' : namespace === '' ? 'cluster' : 'namespace';
  return {
    verb: verbOf(request, info),
    group,
    version,
    resource,
    subresource,
    scope,
    component: 'apiserver',
  };
}

const NO_RESOURCE = { group: '', version: '', resource: '', scope: '', component: '' };

function pathOf({ isResourceRequest, path }: RequestInfo): string {
  const name = path.slice(1);
  return !isResourceRequest && PATHS.has(name) ? name : '';
}

const CONNECTED: ReadonlySet<string> = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

function verbOf({ method, headers }: ApiRequest, { verb, subresource }: RequestInfo): string {
  if (CONNECTED.has(subresource)) return 'CONNECT';
  if (verb === 'list' || verb === 'watch' || verb === 'deletecollection') return verb.toUpperCase();
  const isApply = method === 'PATCH' && String(headers['content-type']).includes('apply-patch');
  return isApply ? 'APPLY' : METHODS.has(method) ? method : 'other';
}

const METHODS: ReadonlySet<string> = new Set(['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT']);
