import type { KubernetesObject } from 'client-ts/meta';
import type { ApiObject } from '../object.ts';
import type { ResourceInfo } from '../resource.ts';
import type { Conversion } from '../served-resource.ts';
import { eventFromCore, eventToCore } from './core/event-conversion.ts';
import { hpaFromV2, hpaToV2 } from './autoscaling/hpa-conversion.ts';
import { dropNulls } from './support.ts';
import { cloneJson } from 'client-ts/internal';

/** Versions whose objects have another shape than the stored ones, as `group/version/resource`. */
const conversions: ReadonlyMap<string, Conversion> = new Map([
  ['events.k8s.io/v1/events', conversion(eventFromCore, eventToCore)],
  ['autoscaling/v1/horizontalpodautoscalers', conversion(hpaFromV2, hpaToV2)],
]);

/** The conversion for a resource in one version, if more than its apiVersion differs. */
export function conversionFor({
  group,
  version,
  resource,
}: Pick<ResourceInfo, 'group' | 'resource' | 'version'>): Conversion | undefined {
  return conversions.get(`${group}/${version}/${resource}`);
}

function conversion<Stored extends KubernetesObject, Served extends KubernetesObject>(
  fromStorage: (object: Stored) => Served,
  toStorage: (object: Served) => Stored,
): Conversion {
  return {
    fromStorage: (stored) => {
      const copy = cloneJson(stored);
      dropNulls(copy);
      return fromStorage(copy as unknown as Stored);
    },
    toStorage: (object) => toStorage(object as unknown as Served) as unknown as ApiObject,
  };
}
