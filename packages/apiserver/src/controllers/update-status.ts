import { formatTime } from 'client-ts/meta';

import { updateManagedFields } from '../fieldmanager/manager.ts';
import { type Cluster, withClusterContext } from '../registry/cluster.ts';
import { type ApiObject, copyStored } from '../registry/object.ts';
import type { Registry } from '../registry/registry.ts';
import type { Schema } from '../schema/schema.ts';
import type { StoredObject } from '../store/store.ts';

/** A controller that writes the status of cluster-scoped objects under its own manager name. */
export interface StatusWriter {
  readonly registry: Registry;
  readonly schema: Schema;
  readonly apiVersion: string;
  readonly manager: string;
}

/** Changes an object through `/status`; `change` works in place. */
export function updateStatus(
  cluster: Cluster,
  { registry, schema, apiVersion, manager }: StatusWriter,
  name: string,
  change: (object: ApiObject) => void,
): void {
  withClusterContext(cluster, {}, (context) =>
    registry.update(
      '',
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
