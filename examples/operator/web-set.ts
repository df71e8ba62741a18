import type { PodTemplateSpec } from 'client-ts/api/core/v1';
import { defineResource, typedSchema } from 'client-ts/crd';
import type { ObjectOf } from 'client-ts/meta';

const count = { type: 'integer', format: 'int32', minimum: 0 } as const;

/** The resource WebSet, a number of equal pods: its descriptor, and in `definition` its CRD. */
export const webSets = defineResource({
  group: 'apps.example.com',
  version: 'v1',
  kind: 'WebSet',
  shortNames: ['ws'],
  subresources: {
    status: {},
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  },
  additionalPrinterColumns: [
    { name: 'Desired', type: 'integer', jsonPath: '.spec.replicas' },
    { name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas' },
  ],
  schema: {
    type: 'object',
    required: ['spec'],
    properties: {
      spec: {
        type: 'object',
        required: ['template'],
        properties: {
          replicas: { ...count, maximum: 100, default: 1 },
          template: typedSchema<PodTemplateSpec>({
            type: 'object',
            'x-kubernetes-preserve-unknown-fields': true,
          }),
        },
      },
      status: {
        type: 'object',
        properties: {
          observedGeneration: { type: 'integer', format: 'int64' },
          // The pods; those with the current template; those that are ready.
          replicas: count,
          updatedReplicas: count,
          readyReplicas: count,
        },
      },
    },
  },
});

export type WebSet = ObjectOf<typeof webSets>;
