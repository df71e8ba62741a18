import type {
  MatchResources,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  Validation,
} from 'client-ts/api/admissionregistration/v1';
import type { JsonObject, JsonValue } from 'client-ts/internal';
import { ApiError, labelSelectorAsSelector, newForbidden, parseApiVersion } from 'client-ts/meta';
import type { AccessPolicy } from '../auth/authorize.ts';
import { Failure, type Value } from '../cel/values.ts';
import type { Cluster } from '../registry/cluster.ts';
import {
  type AdmissionExpression,
  Budget,
  compileAdmission,
  compileVariables,
  PolicyVariables,
  variableTypes,
} from '../registry/kinds/admissionregistration/expressions.ts';
import { loadedView } from '../registry/served-resource.ts';
import type { StoredObject } from '../store/store.ts';
import type { AdmissionAttributes, AdmissionForm } from './attributes.ts';
import {
  evaluateConditions,
  failureOf,
  OUT_OF_BUDGET,
  type Variables,
  variablesOf,
  viewIn,
} from './evaluation.ts';
import { formFor, isExempt, matchesSelectors } from './matching.ts';

const GROUP = 'admissionregistration.k8s.io';
/** What all expressions about one request and binding may cost. */
const BINDING_LIMIT = 10_000_000;
const MAX_MESSAGE_BYTES = 5 * 1024;

/** A policy, its expressions compiled. */
interface CompiledPolicy {
  readonly policy: ValidatingAdmissionPolicy;
  readonly name: string;
  readonly hasParams: boolean;
  readonly variables: ReadonlyMap<string, AdmissionExpression>;
  readonly validations: readonly {
    readonly validation: Validation;
    readonly expression: AdmissionExpression;
    readonly message: AdmissionExpression | undefined;
  }[];
  readonly annotations: readonly AdmissionExpression[];
}

const compiledPolicies = new WeakMap<StoredObject, CompiledPolicy>();

/** A reason to deny a request. */
interface Denial {
  readonly policy: string;
  readonly binding: string | undefined;
  readonly message: string;
  readonly reason?: string | undefined;
}

/** Asks the ValidatingAdmissionPolicies that match a request and are bound. */
export class ValidatingPolicies {
  readonly #cluster: Cluster;
  readonly #access: AccessPolicy;

  constructor(cluster: Cluster, access: AccessPolicy) {
    this.#cluster = cluster;
    this.#access = access;
  }

  /** Returns true if no policy is bound. */
  get isIdle(): boolean {
    return this.#stored('validatingadmissionpolicybindings').length === 0;
  }

  /** Rejects with the response of a request that a policy denies. Undefined if none is interested. */
  validate(request: AdmissionAttributes): Promise<void> | undefined {
    const bindings = this.#stored('validatingadmissionpolicybindings');
    if (bindings.length === 0 || isExempt(request)) return undefined;
    const matching = this.#stored('validatingadmissionpolicies').flatMap((stored) => {
      const { spec, metadata } = stored as ValidatingAdmissionPolicy;
      const bound = (bindings as readonly ValidatingAdmissionPolicyBinding[]).filter(
        (binding) => binding.spec?.policyName === metadata?.name,
      );
      if (bound.length === 0) return [];
      const form = this.#match(spec?.matchConstraints, request);
      return form === undefined ? [] : [{ stored, bound, form }];
    });
    if (matching.length === 0) return undefined;
    return this.#validateAll(matching, request);
  }

  async #validateAll(
    matching: readonly {
      readonly stored: StoredObject;
      readonly bound: readonly ValidatingAdmissionPolicyBinding[];
      readonly form: AdmissionForm;
    }[],
    request: AdmissionAttributes,
  ): Promise<void> {
    const denials: Denial[] = [];
    for (const { stored, bound, form } of matching) {
      const compiled = compilePolicy(stored);
      const unknown = this.#unknownParams(compiled);
      if (unknown !== undefined) {
        denials.push(...unknown);
        continue;
      }
      const objects = await viewIn(form, request);
      for (const binding of bound) {
        if (this.#match(binding.spec?.matchResources, request) === undefined) continue;
        const params = await this.#params(compiled, binding, request);
        if (params instanceof Failure) {
          const isIgnored = compiled.policy.spec?.failurePolicy === 'Ignore';
          const message = `failed to configure binding: ${params.message}`;
          if (!isIgnored) denials.push(denial(compiled, binding, message));
          continue;
        }
        for (const param of params) {
          const sources = { objects, policy: this.#access, params: param };
          const namespace = this.#namespaceOf(request);
          const variables = variablesOf(request, form, { ...sources, namespace });
          denials.push(...decide(compiled, binding, variables, request));
        }
      }
    }
    const [first] = denials;
    if (first !== undefined) throw refusal(first, request);
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

  /** Null for requests about namespaces and about objects in none. */
  #namespaceOf({ form: { kind }, namespace }: AdmissionAttributes): JsonObject | undefined {
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

  /** The denial of a policy whose kind of parameters is not served; undefined if it is. */
  #unknownParams({ policy: { spec }, name }: CompiledPolicy): Denial[] | undefined {
    const { paramKind, failurePolicy } = spec ?? {};
    if (paramKind === undefined) return undefined;
    const { apiVersion = '', kind = '' } = paramKind;
    const { group, version } = parseApiVersion(apiVersion);
    if (this.#cluster.catalog.registryOfKind(group, version, kind) !== undefined) return undefined;
    if (failurePolicy === 'Ignore') return [];
    const problem = `failed to find resource referenced by paramKind: '${apiVersion}, Kind=${kind}'`;
    const message = `failed to configure policy: ${problem}`;
    return [{ policy: name, binding: undefined, message }];
  }

  /** The objects that a policy is evaluated with, one after the other; null for none. */
  async #params(
    { policy, hasParams }: CompiledPolicy,
    { spec }: ValidatingAdmissionPolicyBinding,
    request: AdmissionAttributes,
  ): Promise<Failure | readonly JsonValue[]> {
    const { paramKind } = policy.spec ?? {};
    const { paramRef } = spec ?? {};
    if (!hasParams || paramKind === undefined || paramRef === undefined) return [null];
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
      return new Failure(
        'paramRef.namespace must not be provided for a cluster-scoped `paramKind`',
      );
    }
    const place = !isNamespaced ? '' : namespace === '' ? request.namespace : namespace;
    if (isNamespaced && place === '') {
      return new Failure(
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
      return new Failure('no params found for policy binding with `Deny` parameterNotFoundAction');
    }
    return Promise.all(
      found.map(async (value) => {
        const view: unknown = await loadedView(served, value);
        return { ...(view as JsonObject), apiVersion, kind };
      }),
    );
  }
}

function compilePolicy(stored: StoredObject): CompiledPolicy {
  let known = compiledPolicies.get(stored);
  if (known !== undefined) return known;
  const policy = stored as ValidatingAdmissionPolicy;
  const { paramKind, validations = [], auditAnnotations = [], variables = [] } = policy.spec ?? {};
  const hasParams = paramKind !== undefined;
  const base = { hasParams, hasAuthorizer: true };
  const compiled = compileVariables(variables, base);
  const types = { ...base, variables: variableTypes(compiled) };
  known = {
    policy,
    name: policy.metadata?.name ?? '',
    hasParams,
    variables: compiled,
    validations: validations.map((validation) => ({
      validation,
      expression: compileAdmission(validation.expression, types, ['bool']),
      message:
        (validation.messageExpression ?? '') === ''
          ? undefined
          : compileAdmission(
              validation.messageExpression ?? '',
              { ...types, hasAuthorizer: false },
              ['string'],
            ),
    })),
    annotations: auditAnnotations.map(({ valueExpression }) =>
      compileAdmission(valueExpression, types, ['string', 'null']),
    ),
  };
  compiledPolicies.set(stored, known);
  return known;
}

function denial(
  { name }: CompiledPolicy,
  { metadata }: ValidatingAdmissionPolicyBinding,
  message: string,
  reason?: string,
): Denial {
  return { policy: name, binding: metadata?.name, message, reason };
}

/** Evaluates a policy with one parameter. Warns, if the binding asks for that, and returns denials. */
function decide(
  compiled: CompiledPolicy,
  binding: ValidatingAdmissionPolicyBinding,
  values: Variables,
  request: AdmissionAttributes,
): Denial[] {
  const { policy, hasParams, name } = compiled;
  const { failurePolicy, matchConditions = [] } = policy.spec ?? {};
  const isIgnored = failurePolicy === 'Ignore';
  const matches =
    matchConditions.length === 0 || evaluateConditions(matchConditions, values, { hasParams });
  if (matches === false) return [];
  const findings =
    matches instanceof Failure
      ? isIgnored
        ? []
        : [{ message: matches.message }]
      : findingsOf(compiled, values, isIgnored);
  const actions = binding.spec?.validationActions ?? [];
  if (actions.includes('Warn')) {
    for (const { message } of findings) {
      const who = `ValidatingAdmissionPolicy '${name}' with binding '${binding.metadata?.name ?? ''}'`;
      request.warn(`Validation failed for ${who}: ${message}`);
    }
  }
  if (!actions.includes('Deny')) return [];
  return findings.map(({ message, reason }) => denial(compiled, binding, message, reason));
}

interface Finding {
  readonly message: string;
  readonly reason?: string | undefined;
}

function findingsOf(
  { variables, validations, annotations }: CompiledPolicy,
  given: Variables,
  isIgnored: boolean,
): Finding[] {
  const budget = new Budget(BINDING_LIMIT);
  const values: Variables = [
    ...given,
    ['variables', new PolicyVariables(variables, given, budget)],
  ];
  const findings: Finding[] = [];
  for (const { validation, expression, message } of validations) {
    const value = budget.evaluate(expression, values);
    if (value === undefined) return isIgnored ? [] : [{ message: OUT_OF_BUDGET.message }];
    if (value instanceof Failure) {
      if (!isIgnored) findings.push({ message: failureOf(expression, value) });
    } else if (value !== true) {
      const text = message && usable(budget.evaluate(message, values));
      findings.push({ message: text ?? wordsOf(validation), reason: validation.reason });
    }
  }
  // There is no audit log; an annotation that fails denies the request all the same.
  for (const expression of annotations) {
    const value = budget.evaluate(expression, values);
    if (value instanceof Failure && !isIgnored) {
      findings.push({ message: failureOf(expression, value) });
    }
  }
  return findings;
}

/** A message that can be shown: one line, not empty, not too long. */
function usable(value: Value | undefined): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  const isUsable =
    text !== '' && !text.includes('\n') && Buffer.byteLength(text) <= MAX_MESSAGE_BYTES;
  return isUsable ? text : undefined;
}

function wordsOf({ message = '', expression }: Validation): string {
  return message === '' ? `failed expression: ${expression.trim()}` : message.trim();
}

const CODES: ReadonlyMap<string, number> = new Map([
  ['Forbidden', 403],
  ['Unauthorized', 401],
  ['RequestEntityTooLarge', 413],
  ['Invalid', 422],
]);

function refusal(
  { policy, binding, message, reason = 'Invalid' }: Denial,
  request: AdmissionAttributes,
): ApiError {
  const who = `ValidatingAdmissionPolicy '${policy}'${binding === undefined ? '' : ` with binding '${binding}'`}`;
  const text = `${who} denied request: ${message}`;
  const { status } = newForbidden(request.form.resource, request.name, text);
  return new ApiError({
    ...status,
    reason,
    code: CODES.get(reason) ?? 422,
    details: { ...status.details, causes: [{ message: text }] },
  });
}
