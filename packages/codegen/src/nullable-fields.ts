import { getKey } from 'client-ts/internal';

import { type GoShapes, splitSchemaId } from './model.ts';
import type { Schema } from './schema.ts';

/**
 * Lists that a server always writes and never empty: validation requires an element, or the server
 * fills them in itself. Their types have no `null`, because no reader ever meets one. The other
 * lists that are always written do arrive as `null`; recordings of Kubernetes 1.36 have it for
 * `CSINode.spec.drivers`, `ClusterRole.rules`, `HorizontalPodAutoscaler.status.currentMetrics` and
 * `CustomResourceDefinition.status.conditions`.
 */
export const neverEmpty: ReadonlySet<string> = new Set([
  'admissionregistration.v1.MutatingWebhook.admissionReviewVersions',
  'admissionregistration.v1.ValidatingWebhook.admissionReviewVersions',
  'apiextensions.v1.CustomResourceDefinitionSpec.versions',
  'apiextensions.v1.WebhookConversion.conversionReviewVersions',
  'authorization.v1.NonResourceRule.verbs',
  'authorization.v1.ResourceRule.verbs',
  'batch.v1.PodFailurePolicyOnExitCodesRequirement.values',
  'batch.v1.SuccessPolicy.rules',
  'core.v1.CephFSPersistentVolumeSource.monitors',
  'core.v1.CephFSVolumeSource.monitors',
  'core.v1.NodeSelector.nodeSelectorTerms',
  'core.v1.PodSpec.containers',
  'core.v1.RBDPersistentVolumeSource.monitors',
  'core.v1.RBDVolumeSource.monitors',
  'core.v1.TopologySelectorLabelRequirement.values',
  'discovery.v1.Endpoint.addresses',
  'flowcontrol.v1.NonResourcePolicyRule.nonResourceURLs',
  'flowcontrol.v1.NonResourcePolicyRule.verbs',
  'flowcontrol.v1.PolicyRulesWithSubjects.subjects',
  'flowcontrol.v1.ResourcePolicyRule.apiGroups',
  'flowcontrol.v1.ResourcePolicyRule.resources',
  'flowcontrol.v1.ResourcePolicyRule.verbs',
  'networking.v1.HTTPIngressRuleValue.paths',
  'rbac.v1.PolicyRule.verbs',
]);

/**
 * Returns the names of the fields that a server sends as `null` when they are empty: lists and maps
 * that Go's JSON never leaves out, except those of {@link neverEmpty}. The `items` of a list kind
 * are not among them; the client reads their `null` as `[]`.
 */
export function nullableFields(id: string, schema: Schema, shapes: GoShapes): string[] {
  const always = getKey(shapes, id)?.always ?? [];
  const { path, name } = splitSchemaId(id);
  const type = `${path.split('.').slice(-2).join('.')}.${name}`;
  const isList = schema.properties?.['kind'] !== undefined;
  return Object.entries(schema.properties ?? {}).flatMap(([field, property]) => {
    const isCollection = property.type === 'array' || property.additionalProperties !== undefined;
    const isItems = isList && field === 'items';
    const isNull = isCollection && !isItems && always.includes(field);
    return isNull && !neverEmpty.has(`${type}.${field}`) ? [field] : [];
  });
}
