import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
} from 'client-ts/api/admissionregistration/v1';
import { isJsonObject, jsonEqual, type JsonObject, type JsonValue } from 'client-ts/internal';
import { ApiError, newForbidden } from 'client-ts/meta';
import type { AccessPolicy } from '../auth/authorize.ts';
import { CONFIGURATION, PATCH_LIST, PatchStruct } from '../cel/library/patches.ts';
import { CelList, Failure, type Value } from '../cel/values.ts';
import type { Cluster } from '../registry/cluster.ts';
import {
  type AdmissionExpression,
  Budget,
  compileAdmission,
  compileVariables,
  PolicyVariables,
  variableTypes,
} from '../registry/kinds/admissionregistration/expressions.ts';
import type { StoredObject } from '../store/store.ts';
import type { AdmissionAttributes, AdmissionForm } from './attributes.ts';
import {
  evaluateConditions,
  failureOf,
  OUT_OF_BUDGET,
  type Variables,
  variablesOf,
} from './evaluation.ts';
import { applyConfiguration, applyOperations } from './apply-patches.ts';
import type { MutatedObjects, MutationStage } from './mutation.ts';
import { PolicyBindings } from './policy-bindings.ts';
import { Reinvocation } from './reinvocation.ts';

/** What the expressions of one mutation may cost. */
const MUTATION_LIMIT = 10_000_000;

interface CompiledMutation {
  readonly isPatch: boolean;
  readonly expression: AdmissionExpression;
}

/** A policy, its expressions compiled. */
interface CompiledPolicy {
  readonly policy: MutatingAdmissionPolicy;
  readonly hasParams: boolean;
  readonly variables: ReadonlyMap<string, AdmissionExpression>;
  readonly mutations: readonly CompiledMutation[];
}

const compiledPolicies = new WeakMap<StoredObject, CompiledPolicy>();

/** One policy with one binding and one parameter. */
interface Invocation {
  readonly compiled: CompiledPolicy;
  readonly binding: MutatingAdmissionPolicyBinding;
  readonly form: AdmissionForm;
  readonly param: JsonValue;
}

/** Why a policy could not do its work. */
interface PolicyFailure {
  readonly policy: MutatingAdmissionPolicy;
  readonly binding?: MutatingAdmissionPolicyBinding;
  readonly message: string;
  readonly reason?: string;
}

/** Lets MutatingAdmissionPolicies that match a request and are bound change its object. */
export class MutatingPolicies {
  readonly #policies: PolicyBindings<MutatingAdmissionPolicyBinding>;
  readonly #access: AccessPolicy;

  constructor(cluster: Cluster, access: AccessPolicy) {
    this.#policies = new PolicyBindings(cluster, 'mutatingadmissionpolicies');
    this.#access = access;
  }

  /** Returns true if no policy is bound. */
  get isIdle(): boolean {
    return this.#policies.isIdle;
  }

  /** Returns whether a policy matches a request as it is sent. */
  concerns(request: AdmissionAttributes): boolean {
    return this.#policies.matching(request).length > 0;
  }

  /** Returns the stage of mutating admission for one request. */
  stage(): MutationStage {
    const reinvocation = new Reinvocation();
    return { run: (objects, isRepeat) => this.#run(objects, isRepeat, reinvocation) };
  }

  async #run(
    objects: MutatedObjects,
    isRepeat: boolean,
    reinvocation: Reinvocation,
  ): Promise<boolean> {
    const request = await objects.asRequest();
    const failures: PolicyFailure[] = [];
    const invocations = await this.#invocations(request, failures);
    if (isRepeat) reinvocation.beginRepeat(request.object);
    let isApplied = false;
    for (const invocation of invocations) {
      const id = idOf(invocation);
      const matches = await this.#isMet(invocation, objects, failures);
      if (!matches || (isRepeat && !reinvocation.isRepeated(id))) continue;
      const { object: before } = objects.current;
      if (await this.#mutate(invocation, objects, failures)) isApplied = true;
      if (!jsonEqual(before, objects.current.object)) reinvocation.changed();
      reinvocation.invoked(id, invocation.compiled.policy.spec?.reinvocationPolicy);
    }
    // As on a real server, a patch counts as a change also if it changes nothing.
    if (isApplied) reinvocation.changed();
    const { object } = await objects.asRequest();
    reinvocation.end(object);
    const counted = failures.filter(({ policy }) => policy.spec?.failurePolicy !== 'Ignore');
    if (counted.length > 0) throw refusal(counted, request);
    return isApplied;
  }

  async #invocations(
    request: AdmissionAttributes,
    failures: PolicyFailure[],
  ): Promise<Invocation[]> {
    const invocations: Invocation[] = [];
    for (const { stored, bindings, form } of this.#policies.matching(request)) {
      const compiled = compilePolicy(stored);
      const { policy } = compiled;
      const unknown = this.#policies.unknownParams(stored);
      if (unknown !== undefined) {
        failures.push({ policy, message: unknown });
        continue;
      }
      for (const binding of bindings) {
        if (!this.#policies.matches(binding, request)) continue;
        const params = await this.#policies.params(stored, binding, request);
        if (params instanceof Failure) failures.push({ policy, binding, message: params.message });
        else invocations.push(...params.map((param) => ({ compiled, binding, form, param })));
      }
    }
    return invocations;
  }

  async #isMet(
    { compiled: { policy, variables, hasParams }, binding, form, param }: Invocation,
    objects: MutatedObjects,
    failures: PolicyFailure[],
  ): Promise<boolean> {
    const { matchConditions = [] } = policy.spec ?? {};
    if (matchConditions.length === 0) return true;
    const values = await this.#values(objects, form, param);
    const own = new PolicyVariables(variables, values, new Budget(MUTATION_LIMIT));
    const result = evaluateConditions(matchConditions, [...values, ['variables', own]], {
      hasParams,
    });
    if (!(result instanceof Failure)) return result;
    failures.push({ policy, binding, message: result.message, reason: 'Invalid' });
    return false;
  }

  async #values(
    objects: MutatedObjects,
    form: AdmissionForm,
    params: JsonValue,
  ): Promise<Variables> {
    const { request } = objects;
    return variablesOf(request, form, {
      objects: await objects.convertTo(form),
      policy: this.#access,
      params,
      namespace: this.#policies.namespaceOf(request),
    });
  }

  /** Runs the mutations of a policy. Resolves to whether one of them did its work. */
  async #mutate(
    { compiled: { policy, mutations, variables }, binding, form, param }: Invocation,
    objects: MutatedObjects,
    failures: PolicyFailure[],
  ): Promise<boolean> {
    let isApplied = false;
    for (const mutation of mutations) {
      const values = await this.#values(objects, form, param);
      const { object } = objects.current;
      if (object === undefined) continue;
      const patch = patched(mutation, variables, values, object, objects.request, form);
      const result = patch instanceof Failure ? patch : convertible(patch, objects.request, form);
      if (result instanceof Failure) {
        failures.push({ policy, binding, message: result.message, reason: 'Invalid' });
        continue;
      }
      objects.request.codec.setDefaults(result, form);
      objects.replace(result);
      isApplied = true;
    }
    return isApplied;
  }
}

/** Evaluates a mutation and applies its result. Throws if the object cannot be decoded after it. */
function patched(
  { isPatch, expression }: CompiledMutation,
  variables: ReadonlyMap<string, AdmissionExpression>,
  given: Variables,
  object: JsonObject,
  { codec }: AdmissionAttributes,
  form: AdmissionForm,
): Failure | JsonObject {
  const budget = new Budget(MUTATION_LIMIT);
  const own: readonly [string, Value] = [
    'variables',
    new PolicyVariables(variables, given, budget),
  ];
  const value = budget.evaluate(expression, [...given, own]);
  if (value === undefined) return OUT_OF_BUDGET;
  if (value instanceof Failure) return new Failure(failureOf(expression, value));
  if (isPatch) {
    return value instanceof CelList ? applyOperations(value, object, codec, form) : OUT_OF_BUDGET;
  }
  if (!(value instanceof PatchStruct)) return OUT_OF_BUDGET;
  return applyConfiguration(value, object, codec, form);
}

/**
 * A real server cannot convert what a policy made of a built-in kind to another version, which
 * fails the policies that match a request by an equivalent version only.
 */
function convertible(
  object: JsonObject,
  { codec, form: { kind: wanted } }: AdmissionAttributes,
  form: AdmissionForm,
): Failure | JsonObject {
  const { kind } = form;
  const isCustom = codec.typeOf(form).custom !== undefined;
  if (isCustom || (kind.group === wanted.group && kind.version === wanted.version)) return object;
  return new Failure(
    `converting (${kind.version}.${kind.kind}) to (${wanted.version}.${wanted.kind}): unknown conversion`,
  );
}

/** Distinguishes the invocations of a request. */
function idOf({ compiled: { policy }, binding, param }: Invocation): string {
  const { name, namespace } = isJsonObject(param) ? ((param['metadata'] ?? {}) as JsonObject) : {};
  return JSON.stringify([policy.metadata?.name, binding.metadata?.name, namespace, name]);
}

function compilePolicy(stored: StoredObject): CompiledPolicy {
  let known = compiledPolicies.get(stored);
  if (known !== undefined) return known;
  const policy = stored as MutatingAdmissionPolicy;
  const { paramKind, mutations = [], variables = [] } = policy.spec ?? {};
  const hasParams = paramKind !== undefined;
  const base = { hasParams, hasAuthorizer: true };
  const compiled = compileVariables(variables, base);
  const types = { ...base, hasPatchTypes: true, variables: variableTypes(compiled) };
  known = {
    policy,
    hasParams,
    variables: compiled,
    mutations: mutations.map(({ patchType, jsonPatch, applyConfiguration: configuration }) => {
      const isPatch = patchType === 'JSONPatch';
      const source = (isPatch ? jsonPatch : configuration)?.expression ?? '';
      const expected = isPatch ? PATCH_LIST : CONFIGURATION;
      return { isPatch, expression: compileAdmission(source, types, [expected]) };
    }),
  };
  compiledPolicies.set(stored, known);
  return known;
}

function refusal(failures: readonly PolicyFailure[], request: AdmissionAttributes): ApiError {
  const causes = failures.map(({ policy, binding, message }) => {
    const name = policy.metadata?.name ?? '';
    const who =
      binding === undefined
        ? `policy "${name}"`
        : `policy '${name}' with binding '${binding.metadata?.name ?? ''}'`;
    return { message: `${who} denied request: ${message}` };
  });
  const [first] = causes;
  const { status } = newForbidden(request.form.resource, request.name, first?.message ?? '');
  return new ApiError({
    ...status,
    message: first?.message ?? '',
    reason: failures[0]?.reason ?? 'Forbidden',
    details: { ...status.details, causes },
  });
}
