import type { APIResource } from '../meta/types.ts';
import { RESTClient } from '../rest/rest-client.ts';
import { type Reply, ScriptedTransport } from '../rest/test-transport.ts';
import type { TransportRequest } from '../transport/transport.ts';
import type { APIGroup } from './documents.ts';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** What a {@link TestDiscoveryServer} serves: resources by group-version. */
export type Served = Readonly<Record<string, readonly APIResource[]>>;

/** How a {@link TestDiscoveryServer} behaves; all of it can be changed while it serves. */
export interface ServerBehaviour {
  aggregates: { api: boolean; apis: boolean };
  /** Sends tags and confirms them. */
  tags: boolean;
  /** Group-versions that are stale in aggregated answers. */
  stale: readonly string[];
  /** Answers other than the ordinary ones, by path. */
  instead: Record<string, Reply | ((request: TransportRequest) => Promise<Reply>)>;
}

/** The discovery of an API server, without an API server. */
export class TestDiscoveryServer implements ServerBehaviour {
  readonly transport: ScriptedTransport;
  readonly rest: RESTClient;
  served: Served;
  aggregates: ServerBehaviour['aggregates'] = { api: true, apis: true };
  tags = false;
  stale: readonly string[] = [];
  instead: ServerBehaviour['instead'] = {};

  constructor(served: Served, behaviour: Partial<ServerBehaviour> = {}) {
    this.served = served;
    Object.assign(this, behaviour);
    this.transport = new ScriptedTransport((request) => this.#answer(request));
    this.rest = RESTClient.over(this.transport);
  }

  /** The paths requested since the last call, without queries. */
  asked(): string[] {
    return this.transport.requests.splice(0).map(({ path }) => path.replace(/\?.*/, ''));
  }

  async #answer(request: TransportRequest): Promise<Reply> {
    const path = request.path.replace(/\?.*/, '');
    const instead = this.instead[path];
    if (instead !== undefined) return typeof instead === 'function' ? instead(request) : instead;
    if (path === '/api' || path === '/apis') return this.#root(path, request);
    const groupVersion = path.replace(/^\/apis?\//, '');
    const resources = this.served[groupVersion];
    if (resources === undefined) return { status: 404, body: '404 page not found' };
    return { body: { kind: 'APIResourceList', groupVersion, resources } };
  }

  #root(path: '/api' | '/apis', { headers }: TransportRequest): Reply {
    const groups = this.#groups().filter(({ name }) => (name === '') === (path === '/api'));
    const wants = String(headers['accept']).startsWith(AGGREGATED);
    if (wants && this.aggregates[path === '/api' ? 'api' : 'apis']) {
      const body = this.#aggregate(groups);
      const etag = JSON.stringify(Buffer.from(JSON.stringify(body)).toString('base64'));
      if (this.tags && headers['if-none-match'] === etag) return { status: 304 };
      return { headers: { 'content-type': AGGREGATED, ...(this.tags && { etag }) }, body };
    }
    const versions = groups.flatMap((group) => group.versions.map(({ version }) => version));
    return path === '/api'
      ? { body: { kind: 'APIVersions', versions } }
      : { body: { kind: 'APIGroupList', apiVersion: 'v1', groups } };
  }

  #groups(): APIGroup[] {
    const groups = new Map<string, APIGroup>();
    for (const groupVersion of Object.keys(this.served)) {
      const [first = '', second] = groupVersion.split('/');
      const [name, version] = second === undefined ? ['', first] : [first, second];
      const known = groups.get(name)?.versions ?? [];
      const versions = [...known, { groupVersion, version }];
      const [preferredVersion = { groupVersion, version }] = versions;
      groups.set(name, { name, versions, preferredVersion });
    }
    return [...groups.values()];
  }

  #aggregate(groups: readonly APIGroup[]): object {
    const items = groups.map(({ name, versions }) => ({
      metadata: { name },
      versions: versions.map(({ groupVersion, version }) => ({
        version,
        freshness: this.stale.includes(groupVersion) ? 'Stale' : 'Current',
        resources: this.served[groupVersion]?.map((resource) => ({
          resource: resource.name,
          responseKind: { group: '', version: '', kind: resource.kind },
          scope: resource.namespaced ? 'Namespaced' : 'Cluster',
          singularResource: resource.singularName,
          verbs: resource.verbs,
        })),
      })),
    }));
    return { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', items };
  }
}
