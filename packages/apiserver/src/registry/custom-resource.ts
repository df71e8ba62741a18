import type { CustomResourceDefinition } from 'client-ts/api/apiextensions/v1';
import { formatGo, jsonEqual, type JsonObject, quoteGo, type Random } from 'client-ts/internal';
import {
  apiVersionOf,
  type KubernetesObject,
  newForbidden,
  validateQualifiedName,
} from 'client-ts/meta';
import {
  validateCustomResource,
  validateCustomResourceStatus,
  validateCustomResourceUpdate,
} from '../crd/custom-resource-rules.ts';
import { type CustomResourceVersion, customResourceVersions } from '../crd/custom-resource.ts';
import type { CustomKind } from '../crd/decode-custom.ts';
import { applyDefaults } from '../crd/defaulting.ts';
import { hasCondition } from '../crd/definition-status.ts';
import { valueAt } from '../crd/scale-path.ts';
import { withSortedKeys } from '../schema/canonical.ts';
import type { Store } from '../store/store.ts';
import { ConversionWebhook } from '../webhook/conversion-webhook.ts';
import type { WebhookClient } from '../webhook/webhook-client.ts';
import { type ConversionRules, CustomConversion } from './custom-conversion.ts';
import { type ApiObject, copyStored } from './object.ts';
import { Registry } from './registry.ts';
import type { ResourceInfo, SubresourceInfo } from './resource.ts';
import type { ServedResource } from './served-resource.ts';
import type { Strategy, StrategyContext } from './strategy.ts';

const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const PART_VERBS = ['get', 'patch', 'update'];

/** The resources of one CustomResourceDefinition. */
export interface CustomResource {
  /** The name of the definition. */
  readonly crd: string;
  /** One per served version, the preferred version first. */
  readonly served: readonly ServedResource[];
  /** The registry of the storage version, which need not be served. */
  readonly registry: Registry;
  /** The `apiVersion` of stored objects. */
  readonly storedAs: string;
}

/** The parts of a cluster that custom resources need. */
export interface CustomResourceDependencies {
  readonly store: Store;
  readonly random: Random;
  readonly webhooks: WebhookClient;
}

/** Builds the resources of an established definition under its accepted names. */
export function customResource(
  { metadata, spec, status }: CustomResourceDefinition,
  { store, webhooks: client, random }: CustomResourceDependencies,
  removed: AbortSignal,
): CustomResource {
  const names = status?.acceptedNames ?? spec.names;
  const versions = customResourceVersions({
    ...(metadata && { metadata }),
    spec: { ...spec, names },
  });
  // Validation ensures that there is exactly one.
  const stored = versions.find(({ storage }) => storage) as CustomResourceVersion;
  const storedAs = apiVersionOf(stored);
  const schemas = new Map(versions.map(({ version, structural }) => [version, structural]));
  const customKind: CustomKind = {
    group: stored.group,
    kind: stored.kind,
    schemaFor: (version) => schemas.get(version),
  };
  const { strategy = 'None', webhook } = spec.conversion ?? {};
  const rules: ConversionRules = {
    kind: customKind,
    storedAs,
    webhook:
      strategy === 'Webhook' && webhook !== undefined
        ? new ConversionWebhook({ client, random, webhook })
        : undefined,
  };
  const ready = new Map(
    versions.map((version) => {
      const conversion = new CustomConversion(version, rules);
      return [version, { conversion, registry: registryOf(version, conversion, store) }];
    }),
  );
  const readyFor = (version: CustomResourceVersion): Ready => ready.get(version) as Ready;
  return {
    crd: stored.crd,
    storedAs,
    registry: readyFor(stored).registry,
    served: versions
      .filter(({ served }) => served)
      .map((version) => ({
        info: resourceInfo(version, propsOf(spec, version.version)),
        ...readyFor(version),
        customKind,
        removed,
        ...(version.scale && { scale: version.scale }),
        ...(version.deprecation !== undefined && { deprecation: version.deprecation }),
        printerColumns: version.columns,
        fieldLabels: readyFor(version).registry.strategy.selectableFieldNames ?? [],
        selectableFields: version.selectableFields,
        uncached: false,
      })),
  };
}

interface Ready {
  readonly conversion: CustomConversion;
  readonly registry: Registry;
}

/** Objects are validated in the request version and stored in the storage version. */
function registryOf(
  version: CustomResourceVersion,
  conversion: CustomConversion,
  store: Store,
): Registry {
  return new Registry({
    group: version.group,
    resource: version.resource,
    kind: version.kind,
    namespaced: version.scope === 'Namespaced',
    strategy: customResourceStrategy(version),
    hasStatus: version.hasStatus,
    store,
    copyOf: (stored) => copyStored(conversion.fromStorage(stored)),
    canonical: (object) => withSortedKeys(object as JsonObject) as unknown as ApiObject,
    encode: (object) => conversion.encode(object),
  });
}

function resourceInfo(version: CustomResourceVersion, props: JsonObject): ResourceInfo {
  const { group, kind, resource, singular, listKind, shortNames, categories, scope } = version;
  const subresources: SubresourceInfo[] = [];
  if (version.hasStatus) {
    const own = { group, version: version.version, kind };
    subresources.push({ name: 'status', kind: own, verbs: PART_VERBS });
  }
  if (version.scale !== undefined) {
    const scale = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
    subresources.push({ name: 'scale', kind: scale, verbs: PART_VERBS });
  }
  return {
    group,
    version: version.version,
    kind,
    resource,
    singular,
    listKind,
    shortNames,
    categories,
    scope,
    verbs: VERBS,
    subresources,
    schema: version.schema,
    crd: version.crd,
    openApi: props,
  };
}

function propsOf({ versions }: CustomResourceDefinition['spec'], version: string): JsonObject {
  const found = versions.find(({ name }) => name === version);
  return (found?.schema?.openAPIV3Schema ?? {}) as JsonObject;
}

/** Returns the strategy of one version of a custom resource. */
function customResourceStrategy(version: CustomResourceVersion): Strategy {
  const { structural, selectableFields, hasStatus, scope } = version;
  return {
    setDefaults: (object) => applyDefaults(asJson(object), structural),
    prepareForCreate: (object, context) => refuseIfTerminating(object, version, context),
    validate: (object, { floats }) => validateCustomResource(asJson(object), version, floats),
    validateUpdate: (object, old, context) =>
      validateCustomResourceUpdate(asJson(object), asJson(old), version, context),
    validateStatusUpdate: (object, old, context) =>
      validateCustomResourceStatus(asJson(object), asJson(old), version, context),
    warnings: (object, old) => finalizerWarnings(object, old),
    selectableFields: (object) => selectableValues(asJson(object), selectableFields),
    selectableFieldNames: [
      'metadata.name',
      ...(scope === 'Namespaced' ? ['metadata.namespace'] : []),
      ...selectableFields,
    ],
    // Any change outside metadata counts. With a status subresource, status is already the old one.
    generation: (object, old) => !jsonEqual(withoutMetadata(object), withoutMetadata(old)),
    unconditionalUpdate: false,
    statusSubresource: hasStatus,
  };
}

/** Rejects creates while the definition is being deleted. */
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

/** Returns the values for field selectors; absent fields are empty. */
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

/** Warns about new finalizers that built-in kinds would reject. */
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
