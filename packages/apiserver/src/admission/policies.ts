import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  Validation,
} from 'client-ts/api/admissionregistration/v1';
import { ApiError, newForbidden } from 'client-ts/meta';
import type { AccessPolicy } from '../auth/authorize.ts';
import { BOOL, NULL, STRING } from '../cel/types.ts';
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
import type { StoredObject } from '../store/store.ts';
import type { AdmissionAttributes } from './attributes.ts';
import {
  evaluateConditions,
  failureOf,
  OUT_OF_BUDGET,
  type Variables,
  variablesOf,
  viewIn,
} from './evaluation.ts';
import { type BoundPolicy, PolicyBindings } from './policy-bindings.ts';

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
  readonly #policies: PolicyBindings<ValidatingAdmissionPolicyBinding>;
  readonly #access: AccessPolicy;

  constructor(cluster: Cluster, access: AccessPolicy) {
    this.#policies = new PolicyBindings(cluster, 'validatingadmissionpolicies');
    this.#access = access;
  }

  /** Returns true if no policy is bound. */
  get isIdle(): boolean {
    return this.#policies.isIdle;
  }

  /** Rejects with the response of a request that a policy denies. Undefined if none is interested. */
  validate(request: AdmissionAttributes): Promise<void> | undefined {
    const matching = this.#policies.matching(request);
    return matching.length === 0 ? undefined : this.#validateAll(matching, request);
  }

  async #validateAll(
    matching: readonly BoundPolicy<ValidatingAdmissionPolicyBinding>[],
    request: AdmissionAttributes,
  ): Promise<void> {
    const denials: Denial[] = [];
    for (const { stored, bindings, form } of matching) {
      const compiled = compilePolicy(stored);
      const { name, policy } = compiled;
      const isIgnored = policy.spec?.failurePolicy === 'Ignore';
      const unknown = this.#policies.unknownParams(stored);
      if (unknown !== undefined) {
        if (!isIgnored) denials.push({ policy: name, binding: undefined, message: unknown });
        continue;
      }
      const objects = await viewIn(form, request);
      for (const binding of bindings) {
        if (!this.#policies.matches(binding, request)) continue;
        const params = await this.#policies.params(stored, binding, request);
        if (params instanceof Failure) {
          if (!isIgnored) denials.push(denial(compiled, binding, params.message));
          continue;
        }
        for (const param of params) {
          const sources = { objects, policy: this.#access, params: param };
          const namespace = this.#policies.namespaceOf(request);
          const variables = variablesOf(request, form, { ...sources, namespace });
          denials.push(...decide(compiled, binding, variables, request));
        }
      }
    }
    const [first] = denials;
    if (first !== undefined) throw refusal(first, request);
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
      expression: compileAdmission(validation.expression, types, [BOOL]),
      message:
        (validation.messageExpression ?? '') === ''
          ? undefined
          : compileAdmission(
              validation.messageExpression ?? '',
              { ...types, hasAuthorizer: false },
              [STRING],
            ),
    })),
    annotations: auditAnnotations.map(({ valueExpression }) =>
      compileAdmission(valueExpression, types, [STRING, NULL]),
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
