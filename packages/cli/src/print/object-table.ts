import { humanDuration, type KubernetesObject, parseTime } from 'client-ts/meta';

import type { Table } from './table.ts';

/** A table of names and ages, for servers without tables. */
export function tableOfObjects(objects: readonly KubernetesObject[], now: number): Table {
  return {
    kind: 'Table',
    columnDefinitions: [
      { name: 'Name', type: 'string', format: 'name' },
      { name: 'Age', type: 'string' },
    ],
    rows: objects.map((object) => {
      const { name = '', creationTimestamp } = object.metadata ?? {};
      const age =
        creationTimestamp == null ? '<unknown>' : humanDuration(now - parseTime(creationTimestamp));
      return { cells: [name, age], object };
    }),
  };
}
