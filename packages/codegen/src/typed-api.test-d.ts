/**
 * Type tests of the generated API, seen as a user sees it. The build compiles this file: a line
 * under `@ts-expect-error` that compiles is an error, and so is any other line that does not.
 * `type-tests.test.ts` proves that the build really looks at it.
 */
import { bindings, componentStatuses, configMaps, nodes, pods } from 'client-ts/api/core/v1';
import type {
  ConfigMap,
  Container,
  Event,
  Pod,
  PodList,
  PodSpec,
  Secret,
  ServicePort,
} from 'client-ts/api/core/v1';
import { groupVersions } from 'client-ts/api/all';
import { deployments } from 'client-ts/api/apps/v1';
import type { Deployment, DeploymentSpec } from 'client-ts/api/apps/v1';
import { customResourceDefinitions } from 'client-ts/api/apiextensions/v1';
import type { JSONSchemaProps } from 'client-ts/api/apiextensions/v1';
import type { Lease } from 'client-ts/api/coordination/v1';
import type { ObjectMeta as ObjectMetaOfMetaV1 } from 'client-ts/api/meta/v1';
import type { ClusterRole } from 'client-ts/api/rbac/v1';
import type { CSINodeDriver, CSINodeSpec } from 'client-ts/api/storage/v1';
import type {
  DeepReadonly,
  KubernetesList,
  KubernetesObject,
  ObjectMeta,
  ObjectOf,
  ResourceDescriptor,
  Scope,
  Verb,
} from 'client-ts/meta';

// A client's view of descriptors: each method asks for a verb, a scope, a subresource.
declare function list<T extends KubernetesObject, V extends Verb>(
  resource: ResourceDescriptor<T, Scope, V> & ('list' extends V ? unknown : never),
): KubernetesList<T>;
declare function inNamespace<T extends KubernetesObject>(
  resource: ResourceDescriptor<T, 'Namespaced'>,
  namespace: string,
): void;
declare function subresource<T extends KubernetesObject, Sub extends string>(
  resource: ResourceDescriptor<T, Scope, Verb, Sub>,
  name: NoInfer<Sub>,
): void;
declare function accept<T>(value: T): void;
declare function create<T extends KubernetesObject>(resource: ResourceDescriptor<T>, object: T): T;

// Fields.
export const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'nginx' }] },
};
export const withoutTypeMeta: Pod = { metadata: { name: 'web' } };
// @ts-expect-error a field that a pod does not have
export const unknownField: Pod = { specs: {} };
// @ts-expect-error a field of another kind
export const foreignField: ConfigMap = { stringData: {} };
// @ts-expect-error `containers` is required
export const missingContainers: PodSpec = {};
// @ts-expect-error `name` is required
export const missingName: Container = { image: 'nginx' };
// @ts-expect-error `replicas` is a number
export const wrongType: DeploymentSpec = { ...({} as DeploymentSpec), replicas: '3' };
// @ts-expect-error an optional field is left out, not undefined
export const undefinedField: Pod = { spec: undefined };
// @ts-expect-error a time is the string that the server sent
export const wrongTime: Lease = { spec: { renewTime: new Date(0) } };
// @ts-expect-error bytes travel as base64
export const wrongBytes: Secret = { data: { key: new Uint8Array() } };

// Kinds.
// @ts-expect-error the kind of a pod is Pod
export const wrongKind: Pod = { kind: 'Deployment' };
// @ts-expect-error the apiVersion of a deployment is apps/v1
export const wrongApiVersion: Deployment = { apiVersion: 'v1' };
// @ts-expect-error the kind of a list has List at its end
export const wrongListKind: PodList = { kind: 'Pod', items: [] };
create(pods, pod);
// @ts-expect-error a deployment is not created as a pod
create(pods, { kind: 'Deployment' });
// @ts-expect-error a config map is not a pod
create(pods, { data: { key: 'value' } });
accept<KubernetesObject>(pod);
accept<ObjectOf<typeof pods>>(pod);
// @ts-expect-error the descriptor of nodes describes nodes
accept<ObjectOf<typeof nodes>>(pod);
declare const meta: ObjectMeta;
accept<ObjectMetaOfMetaV1>(meta);

// Enums: known values complete, others are accepted, anything but a string is not.
export const knownPolicy: PodSpec = { containers: [], restartPolicy: 'OnFailure' };
export const futurePolicy: PodSpec = { containers: [], restartPolicy: 'SomeDayPerhaps' };
// @ts-expect-error an enum is a string
export const numberPolicy: PodSpec = { containers: [], restartPolicy: 1 };
// @ts-expect-error a value that may be unknown does not pass for a known one
export const closedPolicy: 'Always' | 'Never' | 'OnFailure' = knownPolicy.restartPolicy ?? 'Never';
export const openText: string = knownPolicy.restartPolicy ?? 'Never';

// Unions of shapes.
export const namedPort: ServicePort = { port: 80, targetPort: 'http' };
export const numberedPort: ServicePort = { port: 80, targetPort: 8080 };
// @ts-expect-error a port has no third shape
export const booleanPort: ServicePort = { port: 80, targetPort: true };
export const schema: JSONSchemaProps = {
  items: [{ type: 'string' }],
  additionalProperties: false,
  default: { any: ['json', 1, null] },
};
// @ts-expect-error not JSON
export const badDefault: JSONSchemaProps = { default: () => 1 };

// Verbs.
list(pods).items.map((item) => item.spec?.nodeName);
list(componentStatuses);
// @ts-expect-error bindings can only be created
list(bindings);
export const createVerb: (typeof bindings)['verbs'][number] = 'create';
// @ts-expect-error bindings cannot be watched
export const watchVerb: (typeof bindings)['verbs'][number] = 'watch';
// @ts-expect-error no such verb
export const noVerb: Verb = 'replace';

// Scopes.
inNamespace(configMaps, 'default');
// @ts-expect-error nodes live in no namespace
inNamespace(nodes, 'default');
// @ts-expect-error neither do definitions
inNamespace(customResourceDefinitions, 'default');

// Subresources.
subresource(deployments, 'scale');
subresource(pods, 'eviction');
// @ts-expect-error pods have no scale
subresource(pods, 'scale');
// @ts-expect-error config maps have none at all
subresource(configMaps, 'status');

// Descriptors are data, and read-only.
// @ts-expect-error descriptors are not written to
pods.kind = 'Other';
// @ts-expect-error nor are their lists
pods.verbs.push('get');
export const everything: readonly ResourceDescriptor[] = groupVersions.flatMap(
  ({ resources }) => resources,
);

// Lists that a server sends as null when they are empty: read with a default, written as arrays.
declare const csiNode: CSINodeSpec;
// @ts-expect-error null is not iterable
export const driversOrNull: CSINodeDriver[] = csiNode.drivers;
export const drivers: CSINodeDriver[] = csiNode.drivers ?? [];
export const role: ClusterRole = { rules: [{ verbs: ['get'] }] };
export const containers: Container[] = ({} as PodSpec).containers;

// What a cache hands out: read like the object, never written to.
declare const cached: DeepReadonly<Pod>;
export const nodeName: string | undefined = cached.spec?.nodeName;
export const cachedPolicy: string | undefined = cached.spec?.restartPolicy;
export const labels: Readonly<Record<string, string>> | undefined = cached.metadata?.labels;
export const asReadonly: DeepReadonly<Event> = {} as Event;
// @ts-expect-error a cached object is not written to
cached.spec = { containers: [] };
if (cached.spec) {
  // @ts-expect-error not at any depth
  cached.spec.nodeName = 'node-1';
  // @ts-expect-error not in its lists
  cached.spec.containers.push({ name: 'web' });
  // @ts-expect-error not in their items
  cached.spec.containers[0]!.image = 'other';
}
if (cached.metadata?.labels) {
  // @ts-expect-error not in its maps
  cached.metadata.labels['app'] = 'other';
}
