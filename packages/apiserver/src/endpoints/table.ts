import type { ListMeta } from 'client-ts/meta';
import type { StoredObject } from '../store/store.ts';
import { partialMetadata } from './encoder.ts';
import type { ResourceExchange } from './exchange.ts';

interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

const COLUMNS: readonly Column[] = [
  { name: 'Name', type: 'string', format: 'name', description: 'Name of the object', priority: 0 },
  { name: 'Created At', type: 'date', format: '', description: 'When it was created', priority: 0 },
];

/** Objects as rows, for people: what kubectl shows. Further events of a watch have no headings. */
export function tableOf(
  _exchange: ResourceExchange,
  objects: readonly StoredObject[],
  metadata: ListMeta,
  version: 'v1' | 'v1beta1',
  withColumns = true,
): object {
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${version}`,
    metadata,
    columnDefinitions: withColumns ? COLUMNS : null,
    rows: objects.map((object) => ({
      cells: [object.metadata?.name ?? '', object.metadata?.creationTimestamp ?? ''],
      object: partialMetadata(object, version),
    })),
  };
}
