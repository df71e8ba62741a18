import { formatTime } from 'client-ts/meta';

import { updateManagedFields } from '../fieldmanager/manager.ts';
import { type Cluster, withClusterContext } from './cluster.ts';
import { type ApiObject, copyStored } from './object.ts';
import type { Registry } from './registry.ts';
import type { Schema } from '../schema/schema.ts';
import type { StoredObject } from '../store/store.ts';

/** A part of the server that writes the status of objects under its own manager name. */
export interface StatusWriter {
  readonly registry: Registry;
  /** The namespace of the objects. Default: they are cluster-scoped. */
  readonly namespace?: string | undefined;
  readonly schema: Schema;
  readonly apiVersion: string;
  readonly manager: string;
}

/** Changes an object through `/status`; `change` works in place. */
export function updateStatus(
  cluster: Cluster,
  { registry, namespace = '', schema, apiVersion, manager }: StatusWriter,
  name: string,
  change: (object: ApiObject) => void,
): void {
  withClusterContext(cluster, {}, (context) =>
    registry.update(
      namespace,
      name,
      context,
      (existing) => {
        const live = existing as StoredObject;
        const updated = copyStored(live);
        change(updated);
        const managedFields = updateManagedFields({
          live,
          updated,
          schema,
          manager,
          apiVersion,
          subresource: 'status',
          now: formatTime(cluster.clock.now()),
        });
        if (managedFields !== undefined) updated.metadata.managedFields = managedFields;
        return updated;
      },
      { part: 'status' },
    ),
  );
}
