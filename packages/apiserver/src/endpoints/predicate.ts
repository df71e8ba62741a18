import { type FieldMatcher, type LabelMatcher, newBadRequest } from 'client-ts/meta';
import type { ServedResource } from '../registry/served-resource.ts';
import type { StoredObject } from '../store/store.ts';

/** Whether a list or watch shows an object. Works on stored objects. */
export type Predicate = (object: StoredObject) => boolean;

const COMMON_FIELDS = ['metadata.name', 'metadata.namespace'];

/** Builds the filter of a list; throws the server's 400 for fields that the kind does not offer. */
export function buildPredicate(
  served: ServedResource,
  labels: LabelMatcher,
  fields: FieldMatcher,
): Predicate {
  checkFields(served, fields);
  const { strategy } = served.registry;
  const needsFields = !fields.isEmpty;
  if (labels.isEmpty && !needsFields) return () => true;
  return (object) => {
    if (!labels.isEmpty && !labels.matches(object.metadata?.labels ?? {})) return false;
    if (!needsFields) return true;
    return fields.matches({
      'metadata.name': object.metadata?.name ?? '',
      'metadata.namespace': object.metadata?.namespace ?? '',
      ...strategy.selectableFields?.(object as Parameters<typeof strategy.selectableFields>[0]),
    });
  };
}

function checkFields(served: ServedResource, fields: FieldMatcher): void {
  const known = served.selectableFields;
  for (const { field } of fields.requirements) {
    if (COMMON_FIELDS.includes(field) || known.includes(field)) continue;
    throw newBadRequest(unknownField(served, field));
  }
}

function unknownField({ info, selectableFields }: ServedResource, field: string): string {
  if (selectableFields.length > 0) return `field label not supported: ${field}`;
  const choices = info.scope === 'Cluster' ? COMMON_FIELDS.slice(0, 1) : COMMON_FIELDS;
  const listed = (info.crd === undefined ? COMMON_FIELDS : choices)
    .map((name) => JSON.stringify(name))
    .join(', ');
  return info.crd === undefined
    ? `${JSON.stringify(field)} is not a known field selector: only ${listed}`
    : `field label not supported: ${field}`;
}
