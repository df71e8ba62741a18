import type { JsonObject } from 'client-ts/internal';
import { formatTime, parseApiVersion } from 'client-ts/meta';

import { applyManaged, updateManagedFields } from '../fieldmanager/manager.ts';
import { type Cluster, withClusterContext } from '../registry/cluster.ts';
import { type ApiObject, copyStored } from '../registry/object.ts';
import type { Registry } from '../registry/registry.ts';
import type { ResourceInfo } from '../registry/resource.ts';
import type { StoredObject } from '../store/store.ts';

/**
 * Writes of one of the server's own parts, under the manager name that the same part of a real
 * cluster uses. Kinds that this server does not serve are skipped.
 */
export class OwnWrites {
  readonly #cluster: Cluster;
  readonly #manager: string;

  constructor(cluster: Cluster, manager: string) {
    this.#cluster = cluster;
    this.#manager = manager;
  }

  /** Returns the stored object with the kind, namespace and name of `object`. */
  find(object: ApiObject): StoredObject | undefined {
    const { namespace = '', name = '' } = object.metadata;
    return this.#resource(object)?.registry.find(namespace, name)?.value;
  }

  /** Creates an object, unless it exists. */
  create(object: ApiObject): void {
    const resource = this.#resource(object);
    if (resource === undefined) return;
    const { registry, info } = resource;
    const { namespace = '', name = '' } = object.metadata;
    if (registry.find(namespace, name) !== undefined) return;
    this.#track(object, undefined, info, '');
    this.#write(namespace, (context) => registry.create(object, context));
  }

  /** Stores a new object without validating it. */
  place(object: ApiObject): void {
    const resource = this.#resource(object);
    if (resource === undefined) return;
    const { namespace = '' } = object.metadata;
    this.#track(object, undefined, resource.info, '');
    this.#write(namespace, (context) => resource.registry.place(object, context));
  }

  /** Replaces a stored object with what `change` makes of a copy of it, in place. */
  update(object: ApiObject, change: (copy: ApiObject) => void, part: 'main' | 'status'): void {
    const resource = this.#resource(object);
    if (resource === undefined) return;
    const { registry, info } = resource;
    const { namespace = '', name = '' } = object.metadata;
    this.#write(namespace, (context) =>
      registry.update(
        namespace,
        name,
        context,
        (existing) => {
          const copy = copyStored(existing as StoredObject);
          change(copy);
          this.#track(copy, existing, info, part === 'status' ? 'status' : '');
          return copy;
        },
        { part },
      ),
    );
  }

  /** Applies a configuration to a stored object, and takes over the fields of other managers. */
  apply(config: ApiObject, part: 'main' | 'status' = 'main'): void {
    const resource = this.#resource(config);
    if (resource === undefined) return;
    const { registry, info } = resource;
    const { namespace = '', name = '' } = config.metadata;
    this.#write(namespace, (context) =>
      registry.update(
        namespace,
        name,
        context,
        (live) =>
          applyManaged({
            live,
            config: config as unknown as JsonObject,
            schema: info.schema,
            kind: info.kind,
            manager: this.#manager,
            apiVersion: config.apiVersion ?? '',
            subresource: part === 'status' ? 'status' : '',
            force: true,
            now: formatTime(this.#cluster.clock.now()),
          }).object as ApiObject,
        { part },
      ),
    );
  }

  /** Deletes an object, if it exists. */
  delete(object: ApiObject): void {
    const resource = this.#resource(object);
    const { namespace = '', name = '' } = object.metadata;
    if (resource?.registry.find(namespace, name) === undefined) return;
    this.#write(namespace, (context) => resource.registry.delete(namespace, name, {}, context));
  }

  #write(namespace: string, write: Parameters<typeof withClusterContext>[2]): void {
    withClusterContext(this.#cluster, { namespace }, write);
  }

  #resource({
    apiVersion = '',
    kind = '',
  }: ApiObject): { readonly info: ResourceInfo; readonly registry: Registry } | undefined {
    const { catalog } = this.#cluster;
    const { group, version } = parseApiVersion(apiVersion);
    const info = catalog.resources(group, version).find((candidate) => candidate.kind === kind);
    const registry = info && catalog.registry(group, info.resource);
    return info && registry && { info, registry };
  }

  #track(
    updated: ApiObject,
    live: StoredObject | undefined,
    { schema }: ResourceInfo,
    subresource: string,
  ): void {
    const managedFields = updateManagedFields({
      ...(live && { live }),
      updated,
      schema,
      manager: this.#manager,
      apiVersion: updated.apiVersion ?? '',
      subresource,
      now: formatTime(this.#cluster.clock.now()),
    });
    if (managedFields !== undefined) updated.metadata.managedFields = managedFields;
  }
}
