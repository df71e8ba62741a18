import type { CustomResourceDefinition } from 'client-ts/api/apiextensions/v1';
import { formatGo, jsonEqual, type JsonObject, quoteGo } from 'client-ts/internal';
import { type KubernetesObject, newForbidden, validateQualifiedName } from 'client-ts/meta';

import type { CustomResourceVersion } from '../crd/custom-resource.ts';
import {
  validateCustomResource,
  validateCustomResourceStatus,
  validateCustomResourceUpdate,
} from '../crd/custom-resource-rules.ts';
import { applyDefaults } from '../crd/defaulting.ts';
import { hasCondition } from '../crd/definition-status.ts';
import { valueAt } from '../crd/scale-path.ts';
import type { Strategy, StrategyContext } from './strategy.ts';

/** What is particular to one version of a custom resource. */
export function customResourceStrategy(version: CustomResourceVersion): Strategy {
  const { structural, selectableFields, hasStatus, scope } = version;
  return {
    setDefaults: (object) => applyDefaults(asJson(object), structural),
    prepareForCreate: (object, context) => refuseIfTerminating(object, version, context),
    validate: (object) => validateCustomResource(asJson(object), version),
    validateUpdate: (object, old) =>
      validateCustomResourceUpdate(asJson(object), asJson(old), version),
    validateStatusUpdate: (object, old) =>
      validateCustomResourceStatus(asJson(object), asJson(old), version),
    warnings: (object, old) => finalizerWarnings(object, old),
    selectableFields: (object) => selectableValues(asJson(object), selectableFields),
    selectableFieldNames: [
      'metadata.name',
      ...(scope === 'Namespaced' ? ['metadata.namespace'] : []),
      ...selectableFields,
    ],
    // All but metadata counts; with a status subresource the status is the old one by now.
    generation: (object, old) => !jsonEqual(withoutMetadata(object), withoutMetadata(old)),
    unconditionalUpdate: false,
    statusSubresource: hasStatus,
  };
}

/** Nothing new while the definition is on its way out. */
function refuseIfTerminating(
  { metadata = {} }: KubernetesObject,
  { group, resource, crd }: CustomResourceVersion,
  { lookup }: StrategyContext,
): void {
  const definition = lookup('apiextensions.k8s.io', 'customresourcedefinitions', '', crd);
  if (!hasCondition((definition ?? {}) as CustomResourceDefinition, 'Terminating')) return;
  throw newForbidden(
    { group, resource },
    metadata.name ?? '',
    'create not allowed while custom resource definition is terminating',
  );
}

function asJson(object: KubernetesObject): JsonObject {
  return object as JsonObject;
}

function withoutMetadata(object: KubernetesObject): JsonObject {
  const { metadata: _, ...rest } = asJson(object);
  return rest;
}

/** The values that field selectors compare; what is not there is empty. */
function selectableValues(object: JsonObject, fields: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    fields.map((field) => {
      const value = valueAt(object, field);
      return [field, value === undefined || value === null ? '' : formatGo(value)];
    }),
  );
}

const standardFinalizers: ReadonlySet<string> = new Set([
  'foregroundDeletion',
  'kubernetes',
  'orphan',
]);

/** Names of new finalizers that would be refused on built-in kinds only earn a warning here. */
function finalizerWarnings(object: KubernetesObject, old: KubernetesObject | undefined): string[] {
  const known = new Set(old?.metadata?.finalizers);
  const added = new Set((object.metadata?.finalizers ?? []).filter((name) => !known.has(name)));
  return [...added].toSorted().flatMap((name) => {
    const subject = `metadata.finalizers: ${quoteGo(name)}:`;
    const warnings = validateQualifiedName(name).map((message) => `${subject} ${message}`);
    if (name.includes('/') || standardFinalizers.has(name)) return warnings;
    const path = name.includes('.') ? ' including a path (/)' : '';
    return [
      ...warnings,
      `${subject} prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`,
    ];
  });
}
