import { resolve } from 'node:path';
import type { Cluster, FromFile, User } from './kubeconfig.ts';

/**
 * What a program or its flags say instead of the kubeconfig. Names as kubectl's flags, without the
 * dashes.
 */
export interface ConfigOverrides {
  readonly context?: string;
  /** The name of a cluster or user of the kubeconfig, instead of those of the context. */
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
  readonly server?: string;
  readonly tlsServerName?: string;
  readonly insecureSkipTlsVerify?: boolean;
  readonly certificateAuthority?: string;
  readonly proxyUrl?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
  readonly token?: string;
  readonly username?: string;
  readonly password?: string;
  readonly as?: string;
  readonly asUid?: string;
  readonly asGroups?: readonly string[];
}

/** Paths in overrides are relative to the working directory, unlike those of the kubeconfig. */
function fromHere(path: string): string {
  return path === '' ? '' : resolve(path);
}

/**
 * Lays overrides over a cluster. What they say about trust replaces everything the file says about
 * it, because the two halves would contradict each other.
 */
export function overrideCluster(
  found: FromFile<Cluster>,
  overrides: ConfigOverrides,
): FromFile<Cluster> {
  const { server, tlsServerName, insecureSkipTlsVerify, certificateAuthority, proxyUrl } =
    overrides;
  let cluster = found.value;
  if (server !== undefined) {
    // Another server has another name; the old one would never match.
    cluster = { ...cluster, server, tlsServerName: tlsServerName ?? '' };
  }
  if (tlsServerName !== undefined) cluster = { ...cluster, tlsServerName };
  if (proxyUrl !== undefined) cluster = { ...cluster, proxyUrl };
  if (insecureSkipTlsVerify === true || certificateAuthority !== undefined) {
    cluster = {
      ...cluster,
      insecureSkipTlsVerify: insecureSkipTlsVerify ?? false,
      certificateAuthority: fromHere(certificateAuthority ?? ''),
      certificateAuthorityData: '',
    };
  }
  return { value: cluster, origin: found.origin };
}

/** Lays overrides over a user. A new way to authenticate replaces the old one. */
export function overrideUser(found: FromFile<User>, overrides: ConfigOverrides): FromFile<User> {
  const { clientCertificate, clientKey, token, username, password, as, asUid, asGroups } =
    overrides;
  let user = found.value;
  if (clientCertificate !== undefined) {
    user = { ...user, clientCertificate: fromHere(clientCertificate), clientCertificateData: '' };
  }
  if (clientKey !== undefined)
    user = { ...user, clientKey: fromHere(clientKey), clientKeyData: '' };
  if (token !== undefined) {
    user = { ...withoutPlugins(user), token, tokenFile: '', username: '', password: '' };
  } else if (username !== undefined || password !== undefined) {
    user = {
      ...withoutPlugins(user),
      token: '',
      tokenFile: '',
      username: username ?? user.username,
      password: password ?? user.password,
    };
  }
  return {
    origin: found.origin,
    value: {
      ...user,
      ...(as !== undefined && { impersonate: as }),
      ...(asUid !== undefined && { impersonateUid: asUid }),
      ...(asGroups !== undefined && { impersonateGroups: asGroups }),
    },
  };
}

function withoutPlugins(user: User): User {
  const { exec: _exec, authProvider: _authProvider, ...rest } = user;
  return rest;
}
