import type { MatchCondition } from 'client-ts/api/admissionregistration/v1';
import type { JsonObject, JsonValue } from 'client-ts/internal';
import { newForbidden } from 'client-ts/meta';
import type { AccessPolicy } from '../auth/authorize.ts';
import { serviceAccountGroups, type UserInfo } from '../auth/user.ts';
import { jsonValue } from '../cel/json-values.ts';
import {
  type AskAccess,
  authorizerValue,
  resourceCheckValue,
} from '../cel/library/authorization.ts';
import { BOOL } from '../cel/types.ts';
import { Failure, type Value } from '../cel/values.ts';
import {
  type AdmissionExpression,
  Budget,
  compileAdmission,
} from '../registry/kinds/admissionregistration/expressions.ts';
import type { AdmissionAttributes, AdmissionForm } from './attributes.ts';
import type { SelectedObjects } from './matching.ts';
import { describeRequest } from './review.ts';

const CONDITIONS_LIMIT = 2_500_000;

/** The variables of expressions about a request. */
export type Variables = readonly (readonly [string, Value])[];

/** What expressions see beside the request. */
export interface VariableSources {
  readonly objects: SelectedObjects;
  readonly policy: AccessPolicy;
  /** Null if there is none, undefined if the expression cannot name it. */
  readonly params?: JsonValue | undefined;
  readonly namespace?: JsonObject | undefined;
}

/** Returns the variables of expressions about a request, in the version that they see. */
export function variablesOf(
  request: AdmissionAttributes,
  form: AdmissionForm,
  { objects, policy, params, namespace }: VariableSources,
): Variables {
  const ask = asker(request, policy);
  const { group, resource } = request.form.resource;
  const { subresource, namespace: place, name } = request;
  return [
    ['object', jsonValue(objects.object ?? null)],
    ['oldObject', jsonValue(objects.oldObject ?? null)],
    ['request', jsonValue(describeRequest(request, form))],
    ['namespaceObject', jsonValue(namespace ?? null)],
    ['params', jsonValue(params ?? null)],
    ['authorizer', authorizerValue(ask)],
    [
      'authorizer.requestResource',
      resourceCheckValue(ask, { group, resource, subresource, namespace: place, name }),
    ],
  ];
}

/** Answers questions about permissions, of the user of the request or of a service account. */
function asker({ user }: AdmissionAttributes, policy: AccessPolicy): AskAccess {
  return ({ serviceAccount, path, ...question }) => {
    const [namespace = '', name = ''] = serviceAccount ?? [];
    const asked: UserInfo =
      serviceAccount === undefined
        ? user
        : {
            name: `system:serviceaccount:${namespace}:${name}`,
            groups: [...serviceAccountGroups(namespace), 'system:authenticated'],
          };
    return policy.decide({
      ...question,
      user: asked,
      version: '*',
      isResourceRequest: path === undefined,
      path: path ?? '',
    });
  };
}

const compiled = new WeakMap<readonly MatchCondition[], readonly AdmissionExpression[]>();

/** Compiles match conditions once. */
function conditionsOf(
  conditions: readonly MatchCondition[],
  hasParams: boolean,
): readonly AdmissionExpression[] {
  let known = compiled.get(conditions);
  if (known === undefined) {
    known = conditions.map(({ expression }) =>
      compileAdmission(expression, { hasParams, hasAuthorizer: true }, [BOOL]),
    );
    compiled.set(conditions, known);
  }
  return known;
}

/**
 * Returns whether all match conditions hold. One that is false decides, whatever others do; if one
 * fails and none is false, the failure is returned.
 */
export function evaluateConditions(
  conditions: readonly MatchCondition[],
  variables: Variables,
  { hasParams }: { readonly hasParams: boolean },
): Failure | boolean {
  const budget = new Budget(CONDITIONS_LIMIT);
  const failures: string[] = [];
  for (const expression of conditionsOf(conditions, hasParams)) {
    const value = budget.evaluate(expression, variables);
    if (value === undefined) return OUT_OF_BUDGET;
    if (value === false) return false;
    if (value instanceof Failure) failures.push(failureOf(expression, value));
  }
  if (failures.length === 0) return true;
  return new Failure(failures.length === 1 ? failures.join('') : `[${failures.join(', ')}]`);
}

export const OUT_OF_BUDGET: Failure = new Failure(
  'validation failed due to running out of cost budget, no further validation rules will be run',
);

/** The words of a real server for an expression that fails. */
export function failureOf({ source, program }: AdmissionExpression, { message }: Failure): string {
  return program === undefined ? message : `expression '${source}' resulted in error: ${message}`;
}

/** Whether the match conditions of a webhook let it be called. Throws if one fails and that counts. */
export function isConditionMet(
  {
    matchConditions = [],
    failurePolicy,
  }: { readonly matchConditions?: readonly MatchCondition[]; readonly failurePolicy?: string },
  request: AdmissionAttributes,
  variables: () => Variables,
): boolean {
  if (matchConditions.length === 0) return true;
  const result = evaluateConditions(matchConditions, variables(), { hasParams: false });
  if (!(result instanceof Failure)) return result;
  if (failurePolicy === 'Ignore') return false;
  throw newForbidden(request.form.resource, request.name, result.message);
}

/** Returns the objects of a request in another version. */
export async function viewIn(
  form: AdmissionForm,
  request: AdmissionAttributes,
): Promise<SelectedObjects> {
  const { object, oldObject } = request;
  return {
    object: object && (await convert(object, request.form, form, request)),
    oldObject: oldObject && (await convert(oldObject, request.form, form, request)),
  };
}

/** Converts an object between two versions of its resource. */
export async function convert(
  object: JsonObject,
  from: AdmissionForm,
  to: AdmissionForm,
  { codec }: AdmissionAttributes,
): Promise<JsonObject> {
  return from === to ? object : await codec.convert(object, from, to);
}
