import { isJsonObject, type JsonObject, type JsonValue } from 'client-ts/internal';
import type { Transport } from 'client-ts/transport';
import { textAt } from '../json/pointer.ts';
import { exchange } from './exchange.ts';

/**
 * Deletes namespaces with all their content, also on a server without a namespace controller:
 * deletes resource by resource, removes finalizers, and finalizes the namespace. With a controller
 * manager, the last step is left to it.
 */
export async function removeNamespaces(
  admin: Transport,
  isOurs: (name: string) => boolean,
): Promise<void> {
  const names = (await list(admin, '/api/v1/namespaces')).map(nameOf).filter(isOurs);
  if (names.length === 0) return;
  const resources = await namespacedResources(admin);
  const managed = await hasControllerManager(admin);
  for (const namespace of names) {
    for (const { base, resource } of resources) {
      await emptyOut(admin, `${base}/namespaces/${namespace}/${resource}`);
    }
    await ask(admin, 'DELETE', `/api/v1/namespaces/${namespace}`);
    if (!managed) await finalize(admin, namespace);
  }
}

/** Deletes one object without a grace period, and removes its finalizers. */
export async function removeObject(admin: Transport, path: string): Promise<void> {
  await ask(admin, 'DELETE', `${path}?gracePeriodSeconds=0`);
  const left = await ask(admin, 'GET', path);
  if (left.status === 404) return;
  await ask(
    admin,
    'PATCH',
    path,
    { metadata: { finalizers: null } },
    'application/merge-patch+json',
  );
}

async function emptyOut(admin: Transport, collection: string): Promise<void> {
  if ((await list(admin, collection)).length === 0) return;
  await ask(admin, 'DELETE', `${collection}?gracePeriodSeconds=0`);
  for (const item of await list(admin, collection)) {
    await removeObject(admin, `${collection}/${nameOf(item)}`);
  }
}

async function finalize(admin: Transport, namespace: string): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}`;
  const { status, body } = await ask(admin, 'GET', path);
  if (status !== 200 || !isJsonObject(body)) return;
  await ask(admin, 'PUT', `${path}/finalize`, { ...body, spec: { finalizers: [] } });
}

async function hasControllerManager(admin: Transport): Promise<boolean> {
  const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
  return (await ask(admin, 'GET', `${leases}/kube-controller-manager`)).status === 200;
}

interface NamespacedResource {
  /** `/api/v1` or `/apis/<group>/<version>`. */
  readonly base: string;
  readonly resource: string;
}

async function namespacedResources(admin: Transport): Promise<NamespacedResource[]> {
  const { body } = await ask(admin, 'GET', '/apis');
  const groups = objects(isJsonObject(body) ? body['groups'] : undefined);
  const versions = groups.map(
    (group) => `/apis/${textAt(group, '/preferredVersion/groupVersion')}`,
  );
  const found: NamespacedResource[] = [];
  for (const base of ['/api/v1', ...versions]) {
    const answer = await ask(admin, 'GET', base);
    const resources = objects(isJsonObject(answer.body) ? answer.body['resources'] : undefined);
    for (const resource of resources) {
      const { namespaced, verbs } = resource;
      const deletable = Array.isArray(verbs) && verbs.includes('deletecollection');
      if (namespaced === true && deletable)
        found.push({ base, resource: textAt(resource, '/name') });
    }
  }
  return found;
}

async function list(admin: Transport, path: string): Promise<JsonObject[]> {
  const { body } = await ask(admin, 'GET', path);
  return objects(isJsonObject(body) ? body['items'] : undefined);
}

async function ask(
  admin: Transport,
  method: string,
  path: string,
  body?: JsonValue,
  contentType = 'application/json',
): Promise<{ status: number; body: unknown }> {
  const response = await exchange(admin, {
    method,
    path,
    headers: body === undefined ? {} : { 'content-type': contentType },
    ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
  });
  const text = Buffer.from(response.body).toString('utf8');
  return {
    status: response.status,
    body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text,
  };
}

function objects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter((item) => isJsonObject(item)) : [];
}

function nameOf(object: JsonObject): string {
  return textAt(object, '/metadata/name');
}
