import type { CustomResourceDefinition } from 'client-ts/api/apiextensions/v1';
import type { JsonObject } from 'client-ts/internal';

import { validateDefinition } from './definition-rules.ts';

/** Returns a definition with one version and the given overrides. */
export function definition(spec: JsonObject, version: JsonObject = {}): CustomResourceDefinition {
  const schema = { openAPIV3Schema: { type: 'object' } };
  return {
    metadata: { name: 'ws.x.example.com' },
    spec: {
      group: 'x.example.com',
      scope: 'Namespaced',
      names: { plural: 'ws', singular: 'w', kind: 'W', listKind: 'WList' },
      versions: [{ name: 'v1', served: true, storage: true, schema, ...version }],
      conversion: { strategy: 'None' },
      ...spec,
    },
    status: { storedVersions: ['v1'] },
  };
}

/** Returns the errors of a definition as sorted lines. */
export function findings(crd: CustomResourceDefinition): string[] {
  return validateDefinition(crd)
    .map(({ field, message }) => `${field}: ${message}`)
    .toSorted();
}
