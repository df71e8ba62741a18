import { getKey } from '../lib/json.ts';
import { parseRequestInfo } from '../meta/request-info.ts';
import type { TransportHeaders, TransportRequest } from '../transport/transport.ts';

/** The right to do one thing with one resource. */
export interface ResourcePermission {
  readonly verb: string;
  /** Empty for the core group. */
  readonly group: string;
  /** With its subresource: `pods/log`. */
  readonly resource: string;
  /** Empty for cluster-scoped resources, and for all namespaces. */
  readonly namespace: string;
  /** Empty for all objects, and for creations, which have no name when they are authorized. */
  readonly name: string;
}

/** The right to read a path that is not a resource. */
export interface UrlPermission {
  readonly verb: string;
  readonly url: string;
}

/** What a request needs. */
export type Permission = ResourcePermission | UrlPermission;

/** Streams of pods for which servers also ask for `create` if they are opened with a WebSocket. */
const UPGRADES: ReadonlySet<string> = new Set(['attach', 'exec', 'portforward']);

/** Paths that every user may read: the cluster roles `system:discovery` and `system:public-info-viewer`. */
const PUBLIC =
  /^\/(?:healthz|livez|readyz|version|version\/|api|api\/.*|apis|apis\/.*|openapi|openapi\/.*)$/;

/** Reviews that every user may create: the cluster role `system:basic-user`. */
const SELF: ReadonlySet<string> = new Set([
  'selfsubjectaccessreviews',
  'selfsubjectreviews',
  'selfsubjectrulesreviews',
]);

/** True for what every user may do by the roles that servers come with. */
export function isGrantedToAll(permission: Permission): boolean {
  const { verb } = permission;
  if ('url' in permission) return verb === 'get' && PUBLIC.test(permission.url);
  return verb === 'create' && SELF.has(permission.resource);
}

/**
 * Returns the permissions that a request needs, as servers ask for them; for a watch that begins with the
 * list also `list`, which informers need on servers that do not have it. With impersonation, the request
 * itself is authorized as the other user: the program needs the verb `impersonate`.
 */
export function permissionsOf({ method, path, headers, upgrade }: TransportRequest): Permission[] {
  const impersonated = impersonations(headers);
  if (impersonated.length > 0) return impersonated;
  const info = parseRequestInfo(method, path);
  const { verb, group, namespace, subresource, name } = info;
  if (!info.isResourceRequest) return [{ verb: method === 'HEAD' ? 'get' : verb, url: info.path }];
  const resource = subresource === '' ? info.resource : `${info.resource}/${subresource}`;
  // The namespace of a Namespace is its name on servers, but rules for it are cluster-wide.
  const isNamespace = info.resource === 'namespaces' && group === '';
  const place = { group, resource, namespace: isNamespace ? '' : namespace };
  const needed = { verb, ...place, name };
  // Informers list instead on servers that do not stream lists.
  const isList = verb === 'watch' && info.query.get('sendInitialEvents') === 'true';
  if (isList) return [{ ...needed, verb: 'list' }, needed];
  const isUpgrade = upgrade !== undefined && info.resource === 'pods' && UPGRADES.has(subresource);
  return isUpgrade && verb === 'get' ? [needed, { ...needed, verb: 'create' }] : [needed];
}

/**
 * Returns what a response shows to be needed beyond {@link permissionsOf}: `create` for an apply or an
 * update that has created the object. The name is not known when a creation is authorized.
 */
export function permissionsOfAnswer(request: TransportRequest, status: number): Permission[] {
  const isCreation = status === 201 && (request.method === 'PATCH' || request.method === 'PUT');
  if (!isCreation) return [];
  return permissionsOf(request).flatMap((permission) =>
    'url' in permission || permission.verb === 'impersonate'
      ? []
      : [{ ...permission, verb: 'create', name: '' }],
  );
}

function impersonations(headers: TransportHeaders): ResourcePermission[] {
  const permission = (resource: string, name: string, group = '', namespace = '') => ({
    verb: 'impersonate',
    group,
    resource,
    namespace,
    name,
  });
  const all = (name: string): readonly string[] => [getKey(headers, name) ?? []].flat();
  const users = all('impersonate-user').map((user) => {
    const [, namespace, name] = /^system:serviceaccount:([^:]+):(.+)$/.exec(user) ?? [];
    return name === undefined
      ? permission('users', user)
      : permission('serviceaccounts', name, '', namespace);
  });
  const authentication = 'authentication.k8s.io';
  return [
    ...users,
    ...all('impersonate-group').map((name) => permission('groups', name)),
    ...all('impersonate-uid').map((uid) => permission('uids', uid, authentication)),
    ...Object.keys(headers)
      .filter((header) => header.startsWith('impersonate-extra-'))
      .flatMap((header) => {
        const key = decodeURIComponent(header.slice('impersonate-extra-'.length));
        return all(header).map((value) => permission(`userextras/${key}`, value, authentication));
      }),
  ];
}

/** Returns a permission in words: `create pods in "shop"`, `get deployments.apps/scale "web"`. */
export function describePermission(permission: Permission): string {
  if ('url' in permission) return `${permission.verb} ${permission.url}`;
  const { verb, group, resource, namespace, name } = permission;
  const [plural = '', ...subresource] = resource.split('/');
  const what = [group === '' ? plural : `${plural}.${group}`, ...subresource].join('/');
  const object = name === '' ? '' : ` ${JSON.stringify(name)}`;
  return `${verb} ${what}${object}${namespace === '' ? '' : ` in ${JSON.stringify(namespace)}`}`;
}
