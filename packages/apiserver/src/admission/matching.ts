import type { NamedRuleWithOperations } from 'client-ts/api/admissionregistration/v1';
import type { JsonObject } from 'client-ts/internal';
import { type KubernetesObject, type LabelMatcher, type Labels, newNotFound } from 'client-ts/meta';
import type { AdmissionAttributes, AdmissionForm } from './attributes.ts';
import type { Hook } from './hooks.ts';

/** A webhook to call, and the version in which it wants to see the objects. */
export interface Invocation {
  readonly hook: Hook;
  readonly form: AdmissionForm;
}

/** Resources of the admission itself: no webhook can lock the door to its own configuration. */
const EXEMPT: ReadonlySet<string> = new Set([
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'ValidatingWebhookConfiguration',
]);

/** Whether a request is about admission itself. */
export function isExempt({ form: { kind } }: AdmissionAttributes): boolean {
  return kind.group === 'admissionregistration.k8s.io' && EXEMPT.has(kind.kind);
}

/** Returns the webhooks whose rules match a request, whatever its objects are. */
export function matchRules(hooks: readonly Hook[], request: AdmissionAttributes): Invocation[] {
  if (hooks.length === 0) return [];
  if (isExempt(request)) return [];
  return hooks.flatMap((hook) => {
    const form = formFor(hook.webhook, request);
    return form === undefined ? [] : [{ hook, form }];
  });
}

/** Rules about resources, and whether those of equivalent resources count. */
export interface MatchedResources {
  readonly rules?: readonly NamedRuleWithOperations[] | undefined;
  readonly matchPolicy?: string | undefined;
}

/** Returns the version in which a request matches rules; undefined if it does not. */
export function formFor(
  { rules = [], matchPolicy }: MatchedResources,
  request: AdmissionAttributes,
): AdmissionForm | undefined {
  if (rules.some((rule) => matchesRule(rule, request, request.form))) return request.form;
  if (matchPolicy !== 'Equivalent') return undefined;
  const equivalents = request.codec.equivalents();
  for (const rule of rules) {
    const form = equivalents.find((equivalent) => matchesRule(rule, request, equivalent));
    if (form !== undefined) return form;
  }
  return undefined;
}

function matchesRule(
  rule: NamedRuleWithOperations,
  { operation, namespace, subresource, name }: AdmissionAttributes,
  { resource }: AdmissionForm,
): boolean {
  const { resourceNames = [] } = rule;
  return (
    (resourceNames.length === 0 || resourceNames.includes(name)) &&
    matchesScope(rule.scope ?? '*', resource, namespace) &&
    includes(rule.operations, operation) &&
    includes(rule.apiGroups, resource.group) &&
    includes(rule.apiVersions, resource.version) &&
    (rule.resources ?? []).some((text) => {
      const [wanted, part = ''] = text.split(/\/(.*)/s, 2);
      return (
        (wanted === '*' || wanted === resource.resource) && (part === '*' || part === subresource)
      );
    })
  );
}

function includes(items: readonly string[] = [], wanted: string): boolean {
  return items.includes('*') || items.includes(wanted);
}

function matchesScope(
  scope: string,
  resource: AdmissionForm['resource'],
  namespace: string,
): boolean {
  if (scope === '*') return true;
  const isNamespace =
    resource.group === '' && resource.version === 'v1' && resource.resource === 'namespaces';
  const isCluster = isNamespace || namespace === '';
  return scope === 'Cluster' ? isCluster : scope === 'Namespaced' && !isCluster;
}

/** Returns a namespace by its name; undefined if it does not exist. */
export type FindNamespace = (name: string) => KubernetesObject | undefined;

/** The objects of a request, as earlier webhooks have changed them. */
export interface SelectedObjects {
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
}

/**
 * Returns true if the selectors of a webhook match a request. Throws a 404 if the namespace does
 * not exist.
 */
export function matchesSelectors(
  { namespaceSelector, objectSelector }: Pick<Hook, 'namespaceSelector' | 'objectSelector'>,
  request: AdmissionAttributes,
  objects: SelectedObjects,
  findNamespace: FindNamespace,
): boolean {
  const isSelected =
    objectSelector.isEmpty ||
    matchesObject(objectSelector, objects.object) ||
    matchesObject(objectSelector, objects.oldObject);
  if (!isSelected) return false;
  const { resource } = request.form.resource;
  if (request.namespace === '' && resource !== 'namespaces') return true;
  if (namespaceSelector.isEmpty) return true;
  return namespaceSelector.matches(namespaceLabels(request, objects, findNamespace));
}

function matchesObject(selector: LabelMatcher, object: JsonObject | undefined): boolean {
  return object !== undefined && selector.matches((object as KubernetesObject).metadata?.labels);
}

/** A namespace that is being written counts as it will be. */
function namespaceLabels(
  { form, subresource, operation, namespace }: AdmissionAttributes,
  { object }: SelectedObjects,
  findNamespace: FindNamespace,
): Labels | undefined {
  const isWritten = operation === 'CREATE' || operation === 'UPDATE';
  if (form.resource.resource === 'namespaces' && subresource === '' && isWritten) {
    return (object as KubernetesObject | undefined)?.metadata?.labels;
  }
  const found = findNamespace(namespace);
  if (found === undefined) throw newNotFound({ group: '', resource: 'namespaces' }, namespace);
  return found.metadata?.labels;
}
