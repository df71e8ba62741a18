import type { PartialKind, PartialResource } from './resource-table.ts';

/**
 * What a person may mean by a word such as kubectl takes: `pods`, `po`, `Deployment`,
 * `deployments.apps`, `deployments.v1.apps`. A dot may divide a name from a group or from version and
 * group, so there can be several readings; the more specific one comes first.
 */
export function parseResourceArgument(argument: string): {
  readonly resources: readonly PartialResource[];
  readonly kinds: readonly PartialKind[];
} {
  const [name = '', ...rest] = argument.split('.');
  const [version = '', ...others] = rest;
  const places = [
    ...(others.length > 0 ? [{ version, group: others.join('.') }] : []),
    rest.length > 0 ? { group: rest.join('.') } : {},
  ];
  return {
    resources: places.map((place) => ({ resource: name, ...place })),
    kinds: places.map((place) => ({ kind: name, ...place })),
  };
}
