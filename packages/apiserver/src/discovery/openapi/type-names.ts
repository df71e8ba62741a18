import type { GroupVersionKind } from 'client-ts/meta';
import type { ResourceInfo } from '../../registry/resource.ts';
import type { Model } from '../../schema/model.ts';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

export const API_RESOURCE_LIST: string = `${META}.APIResourceList`;
export const DELETE_OPTIONS: string = `${META}.DeleteOptions`;
export const LIST_META: string = `${META}.ListMeta`;
export const OBJECT_META: string = `${META}.ObjectMeta`;
export const PATCH: string = `${META}.Patch`;
export const STATUS: string = `${META}.Status`;
export const WATCH_EVENT: string = `${META}.WatchEvent`;

/** How OpenAPI documents call the types of kinds. */
export interface TypeNames {
  /** The type of a kind that the paths of `resource` lead to. */
  of(kind: GroupVersionKind, resource: ResourceInfo): string;
  listOf(resource: ResourceInfo): string;
}

export function typeNames(model: Model): TypeNames {
  const builtIn = (kind: GroupVersionKind): string => model.schemaIdFor(kind) ?? STATUS;
  return {
    of: (kind, resource) =>
      resource.crd !== undefined && kind.group === resource.group
        ? customTypeName(resource, kind.kind)
        : builtIn(kind),
    listOf: (resource) =>
      resource.crd === undefined
        ? builtIn({ ...resource, kind: resource.listKind })
        : customTypeName(resource, resource.listKind),
  };
}

/** Domain names are read backwards, as those of packages: `com.example.v1.Widget`. */
export function customTypeName({ group, version }: ResourceInfo, kind: string): string {
  return `${group.split('.').reverse().join('.')}.${version}.${kind}`;
}
