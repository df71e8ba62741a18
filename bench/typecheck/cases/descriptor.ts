import { pods } from 'client-ts/api/core/v1';
import type { ObjectOf, ResourceDescriptor } from 'client-ts/meta';

declare function list<D extends ResourceDescriptor>(resource: D): ObjectOf<D>[];

export const names: (string | undefined)[] = list(pods).map((pod) => pod.metadata?.name);
