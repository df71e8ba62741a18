import { type ApiError, newBadRequest } from 'client-ts/meta';
import { getKey, quoteGo, setKey } from 'client-ts/internal';
import type { TransportHeaders } from 'client-ts/transport';

import {
  type AccessAttributes,
  type AccessPolicy,
  attributesOf,
  forbidden,
  type RequestedAction,
} from './authorize.ts';
import {
  ALL_AUTHENTICATED,
  ALL_UNAUTHENTICATED,
  ANONYMOUS,
  parseServiceAccountUsername,
  serviceAccountGroups,
  SYSTEM_MASTERS,
  type UserInfo,
  withGroup,
} from './user.ts';

/** The user in the `Impersonate-*` headers, exactly as given. */
export interface WantedUser {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

const EXTRA_PREFIX = 'impersonate-extra-';
const NODE_PREFIX = 'system:node:';

/** Reads the headers; undefined without any. Throws a 400 if they do not name a user. */
export function wantedUser(headers: TransportHeaders): WantedUser | undefined {
  const extra: Record<string, readonly string[]> = {};
  for (const header of Object.keys(headers).filter((key) => key.startsWith(EXTRA_PREFIX))) {
    const key = unescape(header.slice(EXTRA_PREFIX.length));
    setKey(extra, key, [...(getKey(extra, key) ?? []), ...valuesOf(headers, header)]);
  }
  const wanted = {
    name: valuesOf(headers, 'impersonate-user')[0] ?? '',
    uid: valuesOf(headers, 'impersonate-uid')[0] ?? '',
    groups: valuesOf(headers, 'impersonate-group'),
    extra,
  };
  if (wanted.name !== '') return wanted;
  if (wanted.uid === '' && wanted.groups.length === 0 && Object.keys(extra).length === 0) {
    return undefined;
  }
  throw newBadRequest(`requested ${formatGoUser(wanted)} without impersonating a user name`);
}

/**
 * Returns the impersonated user. Permission is checked in several ways: first the constrained
 * modes, which grant one kind of user for one kind of action, then the old mode, which grants a
 * user for everything. If none allows it, throws the first refusal.
 */
export function impersonate(
  policy: AccessPolicy,
  requestor: UserInfo,
  wanted: WantedUser,
  info: RequestedAction,
): UserInfo {
  let refusal: ApiError | undefined;
  for (const mode of modesFor(wanted)) {
    const problem =
      (mode === '' ? undefined : checkAction(policy, requestor, mode, info)) ??
      checkUser(policy, requestor, mode, wanted);
    if (problem === undefined) return impersonatedUser(wanted, mode);
    refusal ??= problem;
  }
  throw refusal ?? forbidden(attributesOf(requestor, info), '');
}

/** The empty mode is the old, unconstrained one. */
type Mode = '' | 'arbitrary-node' | 'serviceaccount' | 'user-info';

function modesFor({ name, uid, groups, extra }: WantedUser): readonly Mode[] {
  const onlyName = uid === '' && groups.length === 0 && Object.keys(extra).length === 0;
  if (name.startsWith(NODE_PREFIX)) return onlyName ? ['arbitrary-node', ''] : [''];
  if (parseServiceAccountUsername(name) !== undefined) {
    return onlyName ? ['serviceaccount', ''] : [''];
  }
  return ['user-info', ''];
}

/** Checks that the requestor may perform this action while impersonating. */
function checkAction(
  policy: AccessPolicy,
  requestor: UserInfo,
  mode: Mode,
  info: RequestedAction,
): ApiError | undefined {
  const verb = `impersonate-on:${mode}:${info.verb}`;
  return refusalOf(policy, { ...attributesOf(requestor, info), verb });
}

/** Checks that the requestor may impersonate this user, attribute by attribute. */
function checkUser(
  policy: AccessPolicy,
  requestor: UserInfo,
  mode: Mode,
  wanted: WantedUser,
): ApiError | undefined {
  for (const attributes of userQuestions(requestor, mode, wanted)) {
    if (mode !== '' && attributes.resource === 'groups') {
      if (attributes.name === SYSTEM_MASTERS) {
        return forbidden(attributes, 'impersonating the system:masters group is not allowed');
      }
      if (attributes.name === '') {
        return forbidden(attributes, 'impersonating the empty string group is not allowed');
      }
    }
    const refusal = refusalOf(policy, attributes);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function userQuestions(requestor: UserInfo, mode: Mode, wanted: WantedUser): AccessAttributes[] {
  const about = (group: string, resource: string, name: string): AccessAttributes => ({
    user: requestor,
    isResourceRequest: true,
    verb: mode === '' ? 'impersonate' : `impersonate:${mode}`,
    path: '',
    group,
    version: 'v1',
    namespace: '',
    resource,
    subresource: '',
    name,
  });
  const detailsGroup = 'authentication.k8s.io';
  const namesGroup = mode === '' ? '' : detailsGroup;
  return [
    nameQuestion(about, namesGroup, mode, wanted.name),
    ...(wanted.uid === '' ? [] : [about(detailsGroup, 'uids', wanted.uid)]),
    ...wanted.groups.map((group) => about(namesGroup, 'groups', group)),
    ...Object.entries(wanted.extra).flatMap(([key, values]) =>
      values.map((value) => ({
        ...about(detailsGroup, 'userextras', value),
        subresource: key,
      })),
    ),
  ];
}

function nameQuestion(
  about: (group: string, resource: string, name: string) => AccessAttributes,
  group: string,
  mode: Mode,
  name: string,
): AccessAttributes {
  const account = parseServiceAccountUsername(name);
  if (account !== undefined) {
    return { ...about(group, 'serviceaccounts', account.name), namespace: account.namespace };
  }
  return mode === 'arbitrary-node'
    ? about(group, 'nodes', name.slice(NODE_PREFIX.length))
    : about(group, 'users', name);
}

function refusalOf(policy: AccessPolicy, attributes: AccessAttributes): ApiError | undefined {
  const { allowed, reason } = policy.decide(attributes);
  return allowed ? undefined : forbidden(attributes, reason);
}

function impersonatedUser({ name, uid, groups, extra }: WantedUser, mode: Mode): UserInfo {
  const known = groups.length > 0 ? groups : impliedGroups(name, mode);
  const user = {
    name,
    groups: known,
    ...(uid === '' ? {} : { uid }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
  if (name === ANONYMOUS) return withGroup(user, ALL_UNAUTHENTICATED);
  return known.includes(ALL_UNAUTHENTICATED) ? user : withGroup(user, ALL_AUTHENTICATED);
}

/** The groups that follow from the name alone. */
function impliedGroups(name: string, mode: Mode): readonly string[] {
  const account = parseServiceAccountUsername(name);
  if (account !== undefined) return serviceAccountGroups(account.namespace);
  return mode === 'arbitrary-node' ? ['system:nodes'] : [];
}

function valuesOf(headers: TransportHeaders, name: string): readonly string[] {
  const value = getKey(headers, name);
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}

/** A key that is not properly escaped is taken as it is. */
function unescape(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** As the server's own language prints the structure; it stands so in the error. */
function formatGoUser({ name, uid, groups, extra }: WantedUser): string {
  const list = (values: readonly string[]): string =>
    values.length === 0 ? '[]string(nil)' : `[]string{${values.map(quoteGo).join(', ')}}`;
  const entries = Object.keys(extra)
    .toSorted()
    .map((key) => `${quoteGo(key)}:${list(extra[key] ?? [])}`);
  const map = entries.length === 0 ? '(nil)' : `{${entries.join(', ')}}`;
  return `&user.DefaultInfo{Name:${quoteGo(name)}, UID:${quoteGo(uid)}, Groups:${list(groups)}, Extra:map[string][]string${map}}`;
}
