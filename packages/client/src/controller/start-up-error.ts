import { describeState, type InformerState } from '../cache/informer-state.ts';
import { leases } from '../api/coordination/v1.ts';
import { defineErrors, messageOf } from '../lib/errors.ts';
import { ApiError } from '../meta/api-error.ts';
import { isForbidden, isNotFound } from '../meta/error-guards.ts';
import { groupResourceName, type GroupResource } from '../meta/resource.ts';
import { missingRule } from '../rbac/missing-rule.ts';
import { ControllerError } from './controller-error.ts';

/** Why a manager cannot start: one resource that it cannot use. */
export interface StartUpProblem {
  /** `deployments.apps`. */
  readonly resource: string;
  /** What was refused: `list`, `watch`, or a verb of the election. */
  readonly verb: string;
  /** Empty for all namespaces. */
  readonly namespace: string;
  /** What happened, in a few words. */
  readonly message: string;
  /** How to fix it: the missing rule of RBAC as YAML, or what to install. */
  readonly fix: string | undefined;
  readonly cause: unknown;
}

/**
 * A manager cannot start, because it may not read a resource or the server does not have it. `hint`
 * has the rule to add to the role of the program.
 */
export class StartUpError extends ControllerError {
  readonly problems: readonly StartUpProblem[];

  constructor(problems: readonly StartUpProblem[], cause: unknown) {
    const messages = problems.map(({ resource, namespace, message }) => {
      const place = namespace === '' ? '' : ` in ${namespace}`;
      return `${resource}${place} ${message}`;
    });
    const fixes = new Set(problems.flatMap(({ fix }) => fix ?? []));
    super('CONTROLLER_START_FAILED', `the manager cannot start: ${messages.join('; ')}`, {
      cause,
      ...(fixes.size > 0 && { hint: [...fixes].join('\n') }),
    });
    this.problems = problems;
  }

  static {
    defineErrors(this, 'StartUpError');
  }
}

/** Describes an informer that has not synced. */
export function informerProblem(
  resource: GroupResource,
  namespace: string,
  state: InformerState,
): StartUpProblem {
  const name = groupResourceName(resource);
  const cause = 'error' in state ? state.error : undefined;
  const problem = { resource: name, namespace, message: describeState(state), cause };
  switch (state.state) {
    case 'denied':
      return {
        ...problem,
        verb: state.verb,
        fix: missingRule(resource, ['get', 'list', 'watch'], namespace),
      };
    case 'absent':
      return {
        ...problem,
        verb: 'list',
        fix: `Install the definition of ${name}, or watch it as optional(resource).`,
      };
    default:
      return { ...problem, verb: 'list', fix: undefined };
  }
}

/**
 * Describes why Leases cannot be used; undefined if a retry can help. The verb is that of the request
 * which was refused.
 */
export function leaseProblem(
  error: unknown,
  namespace: string,
  verbs: readonly string[],
): StartUpProblem | undefined {
  const isMissing = isNotFound(error);
  if (!isMissing && !isForbidden(error)) return undefined;
  return {
    resource: groupResourceName(leases),
    namespace,
    verb: refusedVerb(error) ?? 'create',
    message: `cannot be used for the election: ${messageOf(error)}`,
    fix: isMissing
      ? `Create the namespace ${namespace}, or choose another one for the lease.`
      : missingRule(leases, verbs, namespace),
    cause: error,
  };
}

/** Returns the verb of RBAC of a request for Leases that was refused. */
function refusedVerb(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.request === undefined) return undefined;
  const { verb, path } = error.request;
  if (verb === 'GET') return path.endsWith(`/${leases.resource}`) ? 'list' : 'get';
  return VERBS.get(verb);
}

const VERBS: ReadonlyMap<string, string> = new Map([
  ['DELETE', 'delete'],
  ['POST', 'create'],
  ['PUT', 'update'],
]);
