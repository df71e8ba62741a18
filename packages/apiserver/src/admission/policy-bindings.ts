import type { MatchResources, ParamKind, ParamRef } from 'client-ts/api/admissionregistration/v1';
import type { JsonObject, JsonValue } from 'client-ts/internal';
import { labelSelectorAsSelector, parseApiVersion } from 'client-ts/meta';
import { Failure } from '../cel/values.ts';
import type { Cluster } from '../registry/cluster.ts';
import { loadedView } from '../registry/served-resource.ts';
import type { StoredObject } from '../store/store.ts';
import type { AdmissionAttributes, AdmissionForm } from './attributes.ts';
import { formFor, isExempt, matchesSelectors } from './matching.ts';

const GROUP = 'admissionregistration.k8s.io';

/** The resource of a sort of policies. */
export type PolicyResource = 'mutatingadmissionpolicies' | 'validatingadmissionpolicies';

const PLUGINS = {
  mutatingadmissionpolicies: 'MutatingAdmissionPolicy',
  validatingadmissionpolicies: 'ValidatingAdmissionPolicy',
} as const;

const BINDINGS = {
  mutatingadmissionpolicies: 'mutatingadmissionpolicybindings',
  validatingadmissionpolicies: 'validatingadmissionpolicybindings',
} as const;

/** What both sorts of policies have. */
interface AnyPolicy {
  readonly metadata?: { readonly name?: string };
  readonly spec?: {
    readonly matchConstraints?: MatchResources;
    readonly paramKind?: ParamKind;
    readonly failurePolicy?: string;
  };
}

/** What the bindings of both sorts of policies have. */
export interface AnyBinding {
  readonly metadata?: { readonly name?: string };
  readonly spec?: {
    readonly policyName?: string;
    readonly matchResources?: MatchResources;
    readonly paramRef?: ParamRef;
  };
}

/** A policy that matches a request, and its bindings, of which each may match or not. */
export interface BoundPolicy<B extends AnyBinding> {
  readonly stored: StoredObject;
  readonly bindings: readonly B[];
  /** The version in which the policy sees the objects. */
  readonly form: AdmissionForm;
}

/** Finds the policies of one sort that a request concerns, and what they are evaluated with. */
export class PolicyBindings<B extends AnyBinding> {
  readonly #cluster: Cluster;
  readonly #resource: PolicyResource;

  constructor(cluster: Cluster, resource: PolicyResource) {
    this.#cluster = cluster;
    this.#resource = resource;
  }

  /** Returns true if no policy is bound. */
  get isIdle(): boolean {
    return this.#bindings().length === 0;
  }

  /** Returns the bound policies whose constraints match a request, by their names. */
  matching(request: AdmissionAttributes): BoundPolicy<B>[] {
    const bindings = this.#bindings();
    if (bindings.length === 0 || isExempt(request)) return [];
    return this.#stored(this.#resource).flatMap((stored) => {
      const { spec, metadata } = stored as AnyPolicy;
      const bound = bindings.filter((binding) => binding.spec?.policyName === metadata?.name);
      if (bound.length === 0) return [];
      const form = this.#match(spec?.matchConstraints, request);
      return form === undefined ? [] : [{ stored, bindings: bound, form }];
    });
  }

  /** Returns whether the resources of a binding match a request. */
  matches({ spec }: B, request: AdmissionAttributes): boolean {
    return this.#match(spec?.matchResources, request) !== undefined;
  }

  #bindings(): readonly B[] {
    if (!this.#cluster.plugins.has(PLUGINS[this.#resource])) return [];
    return this.#stored(BINDINGS[this.#resource]) as readonly unknown[] as readonly B[];
  }

  #stored(resource: string): readonly StoredObject[] {
    const { catalog, store } = this.#cluster;
    const registry = catalog.registry(GROUP, resource);
    if (registry === undefined || store.count(registry.prefix()) === 0) return [];
    return store.range({ prefix: registry.prefix() }).map(({ value }) => value);
  }

  /** The version in which a request matches; that of the request if nothing restricts it. */
  #match(
    resources: MatchResources | undefined,
    request: AdmissionAttributes,
  ): AdmissionForm | undefined {
    const { resourceRules = [], excludeResourceRules = [], matchPolicy } = resources ?? {};
    if (formFor({ rules: excludeResourceRules, matchPolicy }, request) !== undefined) {
      return undefined;
    }
    const form =
      resourceRules.length === 0
        ? request.form
        : formFor({ rules: resourceRules, matchPolicy }, request);
    if (form === undefined) return undefined;
    const selectors = {
      namespaceSelector: labelSelectorAsSelector(resources?.namespaceSelector ?? {}),
      objectSelector: labelSelectorAsSelector(resources?.objectSelector ?? {}),
    };
    const isSelected = matchesSelectors(selectors, request, request, (name) =>
      this.#findNamespace(name),
    );
    return isSelected ? form : undefined;
  }

  #findNamespace(name: string): JsonObject | undefined {
    const registry = this.#cluster.catalog.registry('', 'namespaces');
    return registry?.find('', name)?.value as JsonObject | undefined;
  }

  /** Returns the variable `namespaceObject`: none about namespaces and about objects in none. */
  namespaceOf({ form: { kind }, namespace }: AdmissionAttributes): JsonObject | undefined {
    const isNamespace = kind.group === '' && kind.kind === 'Namespace';
    if (isNamespace || namespace === '') return undefined;
    const found = this.#findNamespace(namespace);
    if (found === undefined) return undefined;
    const {
      managedFields: _fields,
      ownerReferences: _owners,
      ...metadata
    } = (found['metadata'] ?? {}) as JsonObject;
    return { metadata, spec: found['spec'] ?? {}, status: found['status'] ?? {} };
  }

  /** Returns why a policy cannot be used with its kind of parameters; undefined if it can. */
  unknownParams(policy: StoredObject): string | undefined {
    const { paramKind } = (policy as AnyPolicy).spec ?? {};
    if (paramKind === undefined) return undefined;
    const { apiVersion = '', kind = '' } = paramKind;
    const { group, version } = parseApiVersion(apiVersion);
    if (this.#cluster.catalog.registryOfKind(group, version, kind) !== undefined) return undefined;
    return `failed to configure policy: failed to find resource referenced by paramKind: '${apiVersion}, Kind=${kind}'`;
  }

  /** Returns the objects that a policy is evaluated with, one after the other; null for none. */
  async params(
    policy: StoredObject,
    { spec }: B,
    request: AdmissionAttributes,
  ): Promise<Failure | readonly JsonValue[]> {
    const { paramKind } = (policy as AnyPolicy).spec ?? {};
    const { paramRef } = spec ?? {};
    if (paramKind === undefined || paramRef === undefined) return [null];
    const { apiVersion = '', kind = '' } = paramKind;
    const { group, version } = parseApiVersion(apiVersion);
    const { catalog } = this.#cluster;
    const registry = catalog.registryOfKind(group, version, kind);
    const served = registry && catalog.served(group, version, registry.resource);
    // Without a registry the policy was denied before.
    if (registry === undefined || served === undefined) return [null];
    const isNamespaced = served.info.scope === 'Namespaced';
    const { name = '', namespace = '', selector, parameterNotFoundAction } = paramRef;
    if (!isNamespaced && namespace !== '') {
      return bindingFailure(
        'paramRef.namespace must not be provided for a cluster-scoped `paramKind`',
      );
    }
    const place = !isNamespaced ? '' : namespace === '' ? request.namespace : namespace;
    if (isNamespaced && place === '') {
      return bindingFailure(
        'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
      );
    }
    const matcher = labelSelectorAsSelector(selector ?? {});
    const found =
      name === ''
        ? this.#cluster.store
            .range({ prefix: registry.prefix(place) })
            .map(({ value }) => value)
            .filter(({ metadata }) => matcher.matches(metadata?.labels))
        : [registry.find(place, name)?.value].flatMap((value) => value ?? []);
    if (found.length === 0 && parameterNotFoundAction === 'Deny') {
      return bindingFailure(
        'no params found for policy binding with `Deny` parameterNotFoundAction',
      );
    }
    return Promise.all(
      found.map(async (value) => {
        const view: unknown = await loadedView(served, value);
        return { ...(view as JsonObject), apiVersion, kind };
      }),
    );
  }
}

function bindingFailure(problem: string): Failure {
  return new Failure(`failed to configure binding: ${problem}`);
}
