import { type FieldMatcher, type LabelMatcher, newBadRequest } from 'client-ts/meta';

import { type ServedResource, viewOf } from '../registry/served-resource.ts';
import type { StoredObject } from '../store/store.ts';

/** Whether a list or watch shows a stored object. */
export type Predicate = (object: StoredObject) => boolean;

const COMMON_FIELDS = ['metadata.name', 'metadata.namespace'];

/** Builds the filter of a list; throws the server's 400 for fields that the kind does not offer. */
export function buildPredicate(
  served: ServedResource,
  labels: LabelMatcher,
  fields: FieldMatcher,
): Predicate {
  checkFields(served, fields);
  if (fields.isEmpty) {
    return labels.isEmpty ? () => true : (object) => labels.matches(object.metadata?.labels ?? {});
  }
  return (object) =>
    labels.matches(object.metadata?.labels ?? {}) && fields.matches(fieldsOf(served, object));
}

function fieldsOf(served: ServedResource, stored: StoredObject): Readonly<Record<string, string>> {
  const { selectableFields } = served.registry.strategy;
  // A custom resource is selected by what its version shows: defaults count, what is pruned not.
  const object = served.info.crd === undefined ? stored : viewOf(served, stored);
  return {
    'metadata.name': stored.metadata?.name ?? '',
    'metadata.namespace': stored.metadata?.namespace ?? '',
    ...selectableFields?.(object as Parameters<typeof selectableFields>[0]),
  };
}

function checkFields({ fieldLabels }: ServedResource, fields: FieldMatcher): void {
  for (const { field } of fields.requirements) {
    if ((fieldLabels ?? COMMON_FIELDS).includes(field)) continue;
    const known = COMMON_FIELDS.map((name) => JSON.stringify(name)).join(', ');
    throw newBadRequest(
      fieldLabels === undefined
        ? `${JSON.stringify(field)} is not a known field selector: only ${known}`
        : `field label not supported: ${field}`,
    );
  }
}
