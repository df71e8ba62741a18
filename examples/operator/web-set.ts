import type { CustomResourceDefinition } from 'client-ts/api/apiextensions/v1';
import type { PodTemplateSpec } from 'client-ts/api/core/v1';
import type { KubernetesObject, ResourceDescriptor, Verb } from 'client-ts/meta';

/** A number of equal pods. */
export interface WebSet extends KubernetesObject {
  spec: {
    /** Default 1. */
    replicas?: number;
    template: PodTemplateSpec;
  };
  status?: WebSetStatus;
}

export interface WebSetStatus {
  /** The generation that this status was computed from. */
  observedGeneration: number;
  /** The number of pods. */
  replicas: number;
  /** The number of pods with the current template. */
  updatedReplicas: number;
  readyReplicas: number;
}

const group = 'apps.example.com';
const names = { plural: 'websets', singular: 'webset', kind: 'WebSet', shortNames: ['ws'] };

export const webSets: ResourceDescriptor<WebSet, 'Namespaced', Verb, 'scale' | 'status'> = {
  group,
  version: 'v1',
  resource: names.plural,
  kind: names.kind,
  singular: names.singular,
  scope: 'Namespaced',
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: [
    {
      name: 'status',
      kind: { group, version: 'v1', kind: names.kind },
      verbs: ['get', 'patch', 'update'],
    },
    {
      name: 'scale',
      kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: names.shortNames,
  categories: [],
};

const count = { type: 'integer', format: 'int32', minimum: 0 };

/** The CRD of WebSets. */
export const webSetDefinition: CustomResourceDefinition = {
  metadata: { name: `${names.plural}.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { ...names, listKind: `${names.kind}List` },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
        additionalPrinterColumns: [
          { name: 'Desired', type: 'integer', jsonPath: '.spec.replicas' },
          { name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas' },
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                required: ['template'],
                properties: {
                  replicas: { ...count, maximum: 100, default: 1 },
                  template: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                },
              },
              status: {
                type: 'object',
                properties: {
                  observedGeneration: { type: 'integer', format: 'int64' },
                  replicas: count,
                  updatedReplicas: count,
                  readyReplicas: count,
                },
              },
            },
          },
        },
      },
    ],
  },
};
