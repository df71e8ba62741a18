import { newForbidden } from '../meta/error-factories.ts';
import type { DeepReadonly, KubernetesObject } from '../meta/types.ts';
import type { Config, Middleware } from '../transport/config.ts';
import type { TransportResponse } from '../transport/transport.ts';
import { type Grant, grantsOf, isGranted } from './grants.ts';
import { missingRuleOf } from './missing-rule.ts';
import {
  describePermission,
  isGrantedToAll,
  type Permission,
  permissionsOf,
  permissionsOfAnswer,
} from './permission.ts';
import { RbacError } from './rbac-error.ts';

/** Options of {@link RbacEnforcer}. */
export interface RbacEnforcerOptions {
  /** The namespace of Roles that have none. */
  readonly namespace?: string | undefined;
  /** Called for each request that is refused. */
  readonly onDenied?: ((permission: Permission, message: string) => void) | undefined;
}

/**
 * Enforces a role on the clients of a program, whatever the server allows them: a request that the role
 * does not allow is not sent, and fails as on a server, with a 403 whose message is the rule to add.
 *
 * ```ts
 * const enforcer = new RbacEnforcer(await readManifestFiles('deploy/role.yaml'));
 * await using manager = new Manager(enforcer.enforce(config));
 * // … run the program, then:
 * enforcer.throwIfDenied();
 * ```
 *
 * `create` for an apply that creates the object is checked when the server has answered, because only then
 * it is known. An aggregation rule of a ClusterRole is not evaluated.
 */
export class RbacEnforcer {
  readonly #grants: readonly Grant[];
  readonly #options: RbacEnforcerOptions;
  readonly #denied = new Map<string, Permission>();

  /** The roles, and bindings if there are any, as in a manifest; other objects are ignored. */
  constructor(
    objects: Iterable<DeepReadonly<KubernetesObject>>,
    options: RbacEnforcerOptions = {},
  ) {
    this.#grants = grantsOf(objects, options.namespace);
    this.#options = options;
  }

  /** Returns a config whose clients can do what the role allows. */
  enforce(config: Config): Config {
    const { attemptMiddleware = [] } = config;
    return { ...config, attemptMiddleware: [...attemptMiddleware, this.#middleware] };
  }

  /** What was refused, each once. */
  get denied(): readonly Permission[] {
    return [...this.#denied.values()];
  }

  /** Throws an `RbacError` that names what was refused, also if the program went on without it. */
  throwIfDenied(): void {
    if (this.#denied.size === 0) return;
    const words = this.denied.map(describePermission).join(', ');
    throw new RbacError('RBAC_DENIED', `the role does not allow: ${words}`, {
      hint: [...new Set(this.denied.map(missingRuleOf))].join('\n'),
    });
  }

  readonly #middleware: Middleware = async (request, next) => {
    const refused = this.#refused(permissionsOf(request));
    if (refused !== undefined) return refused;
    const response = await next(request);
    const late = this.#refused(permissionsOfAnswer(request, response.status));
    if (late === undefined) return response;
    // The body is not read: leaving it releases the connection.
    for await (const _chunk of response.body) break;
    return late;
  };

  /** Returns the answer to a request that needs more than is granted. */
  #refused(permissions: readonly Permission[]): TransportResponse | undefined {
    const permission = permissions.find(
      (each) => !isGrantedToAll(each) && !isGranted(this.#grants, each),
    );
    if (permission === undefined) return undefined;
    this.#denied.set(JSON.stringify(permission), permission);
    const words = `the enforced role does not allow to ${describePermission(permission)}`;
    const detail = `${words}. ${missingRuleOf(permission)}`;
    this.#options.onDenied?.(permission, detail);
    const resource = 'url' in permission ? { group: '', resource: '' } : permission;
    const { status } = newForbidden(resource, 'url' in permission ? '' : permission.name, detail);
    return answerOf(status);
  }
}

function answerOf(status: object): TransportResponse {
  const bytes = new TextEncoder().encode(JSON.stringify(status));
  return {
    status: 403,
    headers: { 'content-type': 'application/json', 'content-length': String(bytes.length) },
    body: (async function* body() {
      yield bytes;
    })(),
  };
}
