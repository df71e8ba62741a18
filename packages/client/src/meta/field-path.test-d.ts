/** Type tests of paths to fields; the build compiles them. */
import type { CustomResourceDefinition } from '../api/apiextensions/v1.ts';
import type { Deployment } from '../api/apps/v1.ts';
import type { Pod } from '../api/core/v1.ts';
import type { ScalarPath, ValueAt } from './field-path.ts';
import type { DeepReadonly, KubernetesObject } from './types.ts';

type CachedPod = DeepReadonly<Pod>;
type Anything = KubernetesObject & { readonly [field: string]: unknown };

export const paths: readonly ScalarPath<CachedPod>[] = [
  'apiVersion',
  'spec.nodeName',
  'spec.securityContext.runAsUser',
  'status.phase',
  'metadata.labels.app',
  'metadata.labels.app\\.kubernetes\\.io/name',
  'metadata.finalizers[*]',
  'metadata.ownerReferences[*].uid',
  'spec.volumes[*].configMap.name',
];
export const ofOthers: readonly [
  ScalarPath<DeepReadonly<Deployment>>,
  ScalarPath<DeepReadonly<CustomResourceDefinition>>,
  ScalarPath<Anything>,
] = ['spec.replicas', 'spec.names.kind', 'spec.any.thing[*].at.all'];

// @ts-expect-error misspelt
export const misspelt: ScalarPath<CachedPod> = 'spec.nodename';
// @ts-expect-error not a scalar
export const whole: ScalarPath<CachedPod> = 'spec';
// @ts-expect-error a list without [*]
export const list: ScalarPath<CachedPod> = 'metadata.ownerReferences.uid';

const replicas: ValueAt<Deployment, 'spec.replicas'> = 3;
const uid: ValueAt<CachedPod, 'metadata.ownerReferences[*].uid'> = 'a';
const label: ValueAt<CachedPod, 'metadata.labels.app\\.kubernetes\\.io/name'> = 'web';
const anything: ValueAt<Anything, 'spec.size'>[] = [3, 'three', true];
export const values: readonly unknown[] = [replicas, uid, label, anything];
// @ts-expect-error a number
export const text: ValueAt<Deployment, 'spec.replicas'> = '3';
