/** What an object says of itself. */
export interface ItemKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * What the items of a list are: servers leave it out in each of them, and say it once in the name of
 * the list. Undefined if that says nothing, as `v1 List` does.
 */
export function itemKindOf(list: {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
}): ItemKind | undefined {
  const { apiVersion, kind } = list;
  if (typeof kind !== 'string' || typeof apiVersion !== 'string' || apiVersion === '') {
    return undefined;
  }
  const name = kind.endsWith('List') ? kind.slice(0, -'List'.length) : '';
  return name === '' ? undefined : { kind: name, apiVersion };
}
