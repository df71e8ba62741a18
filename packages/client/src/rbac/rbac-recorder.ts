import type { ClusterRole, Role } from '../api/rbac/v1.ts';
import type { Config, Middleware } from '../transport/config.ts';
import { grantsOf, isGranted } from './grants.ts';
import {
  isGrantedToAll,
  type Permission,
  permissionsOf,
  permissionsOfAnswer,
} from './permission.ts';
import { rulesOf, type RulesOptions } from './role-rules.ts';

/** Options of {@link RbacRecorder.roles}. */
export interface RecordedRolesOptions extends RulesOptions {
  /** The name of the roles. */
  readonly name: string;
  /**
   * Returns the namespace in the roles for one in which requests were made, since tests use names of
   * their own; an empty one for rules in the ClusterRole, which hold everywhere. Default: the same.
   */
  readonly namespaceOf?: ((namespace: string) => string) | undefined;
}

/**
 * Records the permissions that a program uses, and returns them as roles: run the tests, get the role.
 *
 * ```ts
 * const recorder = new RbacRecorder();
 * await using manager = new Manager(recorder.record(config));
 * // … run the program, then:
 * await writeFile('deploy/role.yaml', writeManifests(recorder.roles({ name: 'web' })));
 * ```
 *
 * Every request that is sent counts, whatever its answer: also one that the server refuses. What every user
 * may do is left out: discovery, health, and reviews of oneself. Requests that tests do not make are not in
 * the role: it is as complete as the tests. A recorder is for one program; give it to all of its clients.
 */
export class RbacRecorder {
  readonly #permissions = new Map<string, Permission>();

  /** Returns a config whose clients are recorded, each attempt to send a request. */
  record(config: Config): Config {
    const { attemptMiddleware = [] } = config;
    return { ...config, attemptMiddleware: [...attemptMiddleware, this.#middleware] };
  }

  /** The permissions that were used, each once. */
  get permissions(): readonly Permission[] {
    return [...this.#permissions.values()];
  }

  /**
   * Returns the roles: a ClusterRole for cluster-scoped resources, requests in all namespaces and paths, and
   * a Role for each namespace with requests that the ClusterRole does not allow. The same requests give the
   * same roles, in any order.
   */
  roles({
    name,
    namespaceOf = (same) => same,
    ...options
  }: RecordedRolesOptions): (ClusterRole | Role)[] {
    const places = new Map<string, Permission[]>();
    for (const permission of this.permissions) {
      const namespace = 'url' in permission ? '' : permission.namespace;
      const place = namespace === '' ? '' : namespaceOf(namespace);
      const own = 'url' in permission ? permission : { ...permission, namespace: place };
      places.set(place, [...(places.get(place) ?? []), own]);
    }
    const apiVersion = 'rbac.authorization.k8s.io/v1';
    const everywhere = places.get('') ?? [];
    const clusterRole: ClusterRole = {
      apiVersion,
      kind: 'ClusterRole',
      metadata: { name },
      rules: rulesOf(everywhere, options),
    };
    const granted = grantsOf([clusterRole]);
    const roles = [...places.keys()]
      .filter((place) => place !== '')
      .sort()
      .map((namespace): Role => {
        const own = (places.get(namespace) ?? []).filter((each) => !isGranted(granted, each));
        const rules = rulesOf(own, options);
        return { apiVersion, kind: 'Role', metadata: { name, namespace }, rules };
      });
    return [clusterRole, ...roles].filter(({ rules }) => (rules ?? []).length > 0);
  }

  /** Forgets what was recorded. */
  clear(): void {
    this.#permissions.clear();
  }

  readonly #middleware: Middleware = async (request, next) => {
    this.#add(permissionsOf(request));
    const response = await next(request);
    this.#add(permissionsOfAnswer(request, response.status));
    return response;
  };

  #add(permissions: readonly Permission[]): void {
    for (const permission of permissions) {
      if (isGrantedToAll(permission)) continue;
      this.#permissions.set(JSON.stringify(permission), permission);
    }
  }
}
