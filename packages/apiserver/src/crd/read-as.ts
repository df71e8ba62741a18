import { cloneJson, type JsonObject } from 'client-ts/internal';
import { apiVersionOf, type DeepReadonly, type KubernetesObject } from 'client-ts/meta';

import { withSortedKeys } from '../schema/canonical.ts';
import type { CustomResourceVersion } from './custom-resource.ts';
import { coerceResource } from './decode-custom.ts';

/**
 * A stored custom resource as a version shows it: with that version's apiVersion, without what its
 * schema does not know, with its defaults. Also for the version that it is stored in, whose schema
 * may have changed since. The stored object is not touched.
 */
export function readAs(
  stored: DeepReadonly<KubernetesObject>,
  version: CustomResourceVersion,
): KubernetesObject {
  const object = cloneJson(stored) as JsonObject;
  object['apiVersion'] = apiVersionOf(version);
  coerceResource(object, {
    group: version.group,
    kind: version.kind,
    schemaFor: () => version.structural,
  });
  return withSortedKeys(object) as KubernetesObject;
}
