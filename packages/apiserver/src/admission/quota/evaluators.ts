// Upstream: pkg/quota/v1/evaluator/core/registry.go
// Upstream: pkg/quota/v1/install/registry.go
import type { GroupResource } from 'client-ts/meta';
import { type Evaluator, objectCounter } from './evaluator.ts';
import { podEvaluator } from './pods.ts';
import { resourceClaimEvaluator } from './resource-claims.ts';
import { serviceEvaluator } from './services.ts';
import { volumeClaimEvaluator } from './volume-claims.ts';

/** Resources that are not stored, and events. */
const IGNORED = new Set([
  '/bindings',
  '/componentstatuses',
  '/events',
  'authentication.k8s.io/selfsubjectreviews',
  'authentication.k8s.io/tokenreviews',
  'authorization.k8s.io/localsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectrulesreviews',
  'authorization.k8s.io/subjectaccessreviews',
  'events.k8s.io/events',
]);

const EVALUATORS: ReadonlyMap<string, Evaluator> = new Map([
  ['/persistentvolumeclaims', volumeClaimEvaluator],
  ['/pods', podEvaluator],
  ['/services', serviceEvaluator],
  ['resource.k8s.io/resourceclaims', resourceClaimEvaluator],
  ...['configmaps', 'replicationcontrollers', 'resourcequotas', 'secrets'].map(
    (resource) => [`/${resource}`, objectCounter({ group: '', resource }, resource)] as const,
  ),
]);

/** Returns what measures a resource; undefined if quotas ignore it. */
export function evaluatorFor({ group, resource }: GroupResource): Evaluator | undefined {
  const key = `${group}/${resource}`;
  if (IGNORED.has(key)) return undefined;
  return EVALUATORS.get(key) ?? objectCounter({ group, resource });
}
