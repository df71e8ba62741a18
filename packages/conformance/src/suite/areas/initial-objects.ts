import assert from 'node:assert/strict';
import { MemoryApiServer } from '@client-ts/apiserver';
import type { JsonObject } from 'client-ts/internal';
import type { ApiObject } from '../../http/exchange.ts';
import type { Area, Kit } from '../check.ts';
import { failure, field, names, ok } from '../expect.ts';
import { configMap } from '../objects.ts';

const RBAC = 'rbac.authorization.k8s.io';
const FLOW = 'flowcontrol.apiserver.k8s.io';

/** The default objects of Kubernetes 1.36, as the embedded server creates them. */
function defaults(group: string, resource: string): ApiObject[] {
  using server = new MemoryApiServer({ controllers: false });
  return server.objects({ group, resource }) as unknown as ApiObject[];
}

/** Removes what differs between clusters, and what controllers add. */
function comparable({
  metadata,
  status: _,
  kind: __,
  apiVersion: ___,
  ...rest
}: ApiObject): object {
  const { name, namespace, labels, annotations } = metadata;
  return { name, namespace, labels, annotations, ...rest };
}

/** Asserts that the server has the default objects of a resource, and that they are the same. */
async function hasDefaults(
  { api }: Kit,
  group: string,
  resource: string,
  of: (object: ApiObject) => object = comparable,
): Promise<void> {
  const version = ok(await api.get('/version')) as unknown as JsonObject;
  const list = ok(await api.get(`/apis/${group}/v1/${resource}`));
  const wanted = defaults(group, resource);
  for (const object of wanted) {
    const { name, namespace } = object.metadata;
    const found = (list.items ?? []).find(
      ({ metadata }) => metadata.name === name && metadata.namespace === namespace,
    );
    assert.ok(found, `${resource} ${name}`);
    // Other releases have other rules.
    if (version['minor'] === '36') assert.deepEqual(of(found), of(object), `${resource} ${name}`);
  }
}

/** An aggregated role has rules only where a controller runs. */
function withoutAggregation(role: ApiObject): object {
  const { rules: _, ...rest } = comparable(role) as Record<string, unknown>;
  return rest['aggregationRule'] === undefined ? comparable(role) : rest;
}

/** The objects of every cluster, and authorization by them. */
export const initialObjects: Area = {
  name: 'initial objects',
  checks: {
    'has the default ClusterRoles': async (kit) =>
      await hasDefaults(kit, RBAC, 'clusterroles', withoutAggregation),
    'has the default ClusterRoleBindings': async (kit) =>
      await hasDefaults(kit, RBAC, 'clusterrolebindings'),
    'has the default Roles': async (kit) => await hasDefaults(kit, RBAC, 'roles'),
    'has the default RoleBindings': async (kit) => await hasDefaults(kit, RBAC, 'rolebindings'),
    'has the default FlowSchemas': async (kit) => await hasDefaults(kit, FLOW, 'flowschemas'),
    'has the default priority levels': async (kit) =>
      await hasDefaults(kit, FLOW, 'prioritylevelconfigurations'),
    'has an APIService for every stable group-version': async (kit) =>
      await hasDefaults(kit, 'apiregistration.k8s.io', 'apiservices'),

    'leads to itself with the service kubernetes': async ({ api }) => {
      const endpoints = ok(await api.get('/api/v1/namespaces/default/endpoints/kubernetes'));
      const slice = ok(
        await api.get('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes'),
      );
      const address = field(endpoints, 'subsets.0.addresses.0.ip');
      assert.match(String(address), /^[\d.]+$|:/);
      assert.equal(field(slice, 'endpoints.0.addresses.0'), address);
      const service = ok(await api.get('/api/v1/namespaces/default/services/kubernetes'));
      const port = field(service, 'spec.ports.0.targetPort');
      assert.equal(field(endpoints, 'subsets.0.ports.0.port'), port);
      assert.equal(field(slice, 'ports.0.port'), port);
    },

    'has an IPAddress for every cluster IP': async ({ api, namespace, unique }) => {
      const services = `/api/v1/namespaces/${namespace}/services`;
      const body = {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: unique('svc') },
        spec: { ports: [{ port: 80 }] },
      };
      const service = ok(await api.post(services, body), 201);
      const path = `/apis/networking.k8s.io/v1/ipaddresses/${String(field(service, 'spec.clusterIP'))}`;
      const address = ok(await api.get(path));
      assert.deepEqual(field(address, 'spec.parentRef'), {
        resource: 'services',
        namespace,
        name: service.metadata.name,
      });
      ok(await api.delete(`${services}/${service.metadata.name}`));
      failure(await api.get(path), 404, 'NotFound');
    },

    'serves health and version, and nothing else, without credentials': async ({ anonymous }) => {
      for (const path of ['/healthz', '/livez', '/readyz', '/version']) {
        assert.equal((await anonymous.get(path)).status, 200, path);
      }
      for (const path of ['/api', '/apis', '/metrics', '/livez/ping', '/openapi/v3']) {
        failure(await anonymous.get(path), 403, 'Forbidden');
      }
    },

    'refuses impersonated users what no role allows': async ({ api, namespace }) => {
      const maps = `/api/v1/namespaces/${namespace}/configmaps`;
      const robot = `system:serviceaccount:${namespace}:robot`;
      for (const user of ['jane', robot]) {
        const headers = { 'impersonate-user': user };
        const { message } = failure(await api.get(maps, headers), 403, 'Forbidden');
        assert.ok(message?.includes(`User "${user}" cannot list resource "configmaps"`), message);
        ok(await api.get('/api', headers));
      }
    },

    'allows what a bound role allows': async ({ api, namespace, unique }) => {
      const roles = `/apis/${RBAC}/v1/namespaces/${namespace}`;
      const name = unique('reader');
      ok(
        await api.post(`${roles}/roles`, {
          apiVersion: `${RBAC}/v1`,
          kind: 'Role',
          metadata: { name },
          rules: [{ verbs: ['list'], apiGroups: [''], resources: ['configmaps'] }],
        }),
        201,
      );
      ok(
        await api.post(`${roles}/rolebindings`, {
          apiVersion: `${RBAC}/v1`,
          kind: 'RoleBinding',
          metadata: { name },
          roleRef: { apiGroup: RBAC, kind: 'Role', name },
          subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace }],
        }),
        201,
      );
      const headers = { 'impersonate-user': `system:serviceaccount:${namespace}:robot` };
      const maps = `/api/v1/namespaces/${namespace}/configmaps`;
      ok(await api.get(maps, headers));
      failure(await api.post(maps, configMap(unique('cm')), headers), 403, 'Forbidden');
    },

    'names its health checks': async ({ api }) => {
      const { text } = await api.get('/readyz?verbose&exclude=ping&exclude=moon');
      assert.match(text, /^\[\+\]ping excluded: ok\n\[\+\]log ok\n\[\+\]etcd ok\n/);
      assert.match(text, /\n\[\+\]poststarthook\/rbac\/bootstrap-roles ok\n/);
      assert.match(
        text,
        /\nwarn: some health checks cannot be excluded: no matches for "moon"\nreadyz check passed\n$/,
      );
      assert.equal((await api.get('/livez/poststarthook/rbac/bootstrap-roles')).text, 'ok');
      assert.equal((await api.get('/livez/moon')).status, 404);
    },

    'counts requests at /metrics': async ({ api, namespace }) => {
      ok(await api.get(`/api/v1/namespaces/${namespace}/configmaps`));
      const { text } = await api.get('/metrics');
      assert.match(
        text,
        /^apiserver_request_total\{(?=[^}]*resource="configmaps")(?=[^}]*verb="LIST")(?=[^}]*scope="namespace")(?=[^}]*code="200")[^}]*\} [1-9]/m,
      );
      assert.match(text, /^apiserver_request_duration_seconds_bucket\{/m);
      assert.match(text, /^apiserver_resource_objects\{group="",resource="namespaces"\} \d+$/m);
    },

    'says which flow a request belongs to': async ({ api }) => {
      const reply = await api.get('/api/v1/namespaces');
      const exempt = ok(await api.get(`/apis/${FLOW}/v1/flowschemas/exempt`));
      assert.match(exempt.metadata.uid ?? '', /^[\da-f-]{36}$/);
      assert.equal(reply.headers['x-kubernetes-pf-flowschema-uid'], exempt.metadata.uid);
    },

    'serves stable versions': async ({ api }) => {
      const { groups } = ok(await api.get('/apis')) as unknown as { groups: { name: string }[] };
      assert.ok(groups.some(({ name }) => name === 'apps'));
      assert.ok(
        names(ok(await api.get('/apis/apiregistration.k8s.io/v1/apiservices'))).includes('v1.'),
      );
    },
  },
};
