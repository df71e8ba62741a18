/** A user and its groups, as authentication finds them and authorization uses them. */
export interface UserInfo {
  /** The user name: `jane`, `system:serviceaccount:default:robot`. */
  readonly name: string;
  readonly uid?: string | undefined;
  /** Members of `system:masters` may do everything. */
  readonly groups: readonly string[];
  /** Additional attributes for authorizers; keys are lower case. */
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

export const ANONYMOUS = 'system:anonymous';
export const ALL_AUTHENTICATED = 'system:authenticated';
export const ALL_UNAUTHENTICATED = 'system:unauthenticated';
/** Members of this group may do everything, whatever the authorizer decides. */
export const SYSTEM_MASTERS = 'system:masters';

const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;

/** Parses `system:serviceaccount:<namespace>:<name>`; undefined for other user names. */
export function parseServiceAccountUsername(
  username: string,
): { readonly namespace: string; readonly name: string } | undefined {
  const [, namespace, name] = SERVICE_ACCOUNT.exec(username) ?? [];
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
}

/** Returns the groups of every service account in a namespace. */
export function serviceAccountGroups(namespace: string): string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}

/** Returns the user with the group added, unless already a member. */
export function withGroup(user: UserInfo, group: string): UserInfo {
  return user.groups.includes(group) ? user : { ...user, groups: [...user.groups, group] };
}
