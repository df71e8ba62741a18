import { branch, type FieldSet, isMember, mapSet } from './field-set.ts';
import { type FieldType, typeOfField } from './field-type.ts';

/**
 * The set with every struct field on the way to a member as a member too. Ownership of `spec.a` does
 * not include `spec`, but when everything in it goes, so must `spec`.
 */
export function withNamedFields(set: FieldSet, type: FieldType | undefined): FieldSet {
  return mapSet(set, (node, element) => {
    const name = element.startsWith('f:') ? element.slice(2) : undefined;
    const children = withNamedFields(node, typeBelow(type, element));
    const isNamed = name !== undefined && type?.map?.fields.has(name) === true;
    return branch(isNamed || isMember(set, element), children);
  });
}

/** The type at a step below; undefined if nothing is known of it. */
export function typeBelow(type: FieldType | undefined, element: string): FieldType | undefined {
  if (element.startsWith('f:')) {
    const { map } = type ?? {};
    return map && typeOfField(map, element.slice(2));
  }
  return element.startsWith('k:') ? type?.list?.item : undefined;
}
