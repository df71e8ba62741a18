// Upstream: pkg/apis/authentication/v1/defaults.go
// Upstream: pkg/registry/core/serviceaccount/storage/token.go
// Upstream: pkg/apis/authentication/validation/validation.go: ValidateTokenRequest
import type { BoundObjectReference, TokenRequest } from 'client-ts/api/authentication/v1';
import type * as core from 'client-ts/api/core/v1';
import type { Clock } from 'client-ts/internal';
import {
  formatTime,
  type KubernetesObject,
  newBadRequest,
  newConflict,
  newNotFound,
} from 'client-ts/meta';
import { type FieldError, invalid, invalidObject } from '../../../validation/field-error.ts';
import type { Loose } from '../../../validation/loose.ts';

type LooseRequest = Loose<TokenRequest>;
type ServiceAccount = Loose<core.ServiceAccount>;

const KIND = { group: 'authentication.k8s.io', kind: 'TokenRequest' };
const TEN_MINUTES = 600;
const ONE_HOUR = 3600;
const LONGEST_LIFE = 2 ** 32;

/** The object that a token is bound to; the token is valid while it exists. */
export interface BoundReference {
  readonly kind: 'Node' | 'Pod' | 'Secret';
  readonly name: string;
  readonly uid: string;
}

/** The inputs of a TokenRequest. */
export interface TokenOptions {
  readonly clock: Clock;
  /** The audiences of the API server, for requests without any. */
  readonly audiences: readonly string[];
  /** Reads a stored object of the core group. */
  readonly lookup: (
    resource: string,
    namespace: string,
    name: string,
  ) => KubernetesObject | undefined;
  /** Creates and signs the token. */
  readonly issue: (spec: {
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
    readonly audiences: readonly string[];
    readonly expirationSeconds: number;
    readonly boundObject?: BoundReference;
  }) => { readonly token: string; readonly expiresAt: number };
}

/** Sets the defaults of a TokenRequest, in place. */
export function setTokenDefaults(request: LooseRequest): void {
  (request.spec ??= {}).expirationSeconds ??= ONE_HOUR;
}

/**
 * Returns the TokenRequest with the token in its status. Throws a 422 for an invalid lifetime or another name, and
 * a 400 or 404 for an object that the token cannot be bound to.
 */
export function issueToken(
  account: ServiceAccount,
  request: LooseRequest,
  options: TokenOptions,
): TokenRequest {
  const { name = '', namespace = '', uid = '' } = account.metadata ?? {};
  const { expirationSeconds = ONE_HOUR, boundObjectRef } = request.spec ?? {};
  refuseOtherName(request, name);
  refuseInvalid(request, expirationSeconds);
  const wanted = request.spec?.audiences ?? [];
  const audiences = wanted.length === 0 ? [...options.audiences] : wanted;
  const boundObject = findBound(boundObjectRef, account, options);
  const { token, expiresAt } = options.issue({
    namespace,
    name,
    uid,
    audiences,
    expirationSeconds,
    ...(boundObject !== undefined && { boundObject }),
  });
  const { managedFields } = request.metadata ?? {};
  return {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: {
      name,
      namespace,
      uid,
      creationTimestamp: formatTime(options.clock.now()),
      ...(managedFields !== undefined && { managedFields }),
    },
    spec: {
      audiences,
      expirationSeconds,
      ...(boundObjectRef !== undefined && { boundObjectRef }),
    },
    status: { token, expirationTimestamp: formatTime(expiresAt) },
  };
}

function refuseOtherName({ metadata }: LooseRequest, account: string): void {
  const { name = '' } = metadata ?? {};
  if (name === '' || name === account) return;
  throw invalidObject(KIND, account, [
    invalid('metadata.name', name, 'must match the service account name if specified'),
  ]);
}

function refuseInvalid(request: LooseRequest, seconds: number): void {
  const field = 'spec.expirationSeconds';
  const findings: FieldError[] = [];
  if (seconds < TEN_MINUTES) {
    findings.push(invalid(field, seconds, 'may not specify a duration less than 10 minutes'));
  }
  if (seconds > LONGEST_LIFE) {
    findings.push(invalid(field, seconds, 'may not specify a duration larger than 2^32 seconds'));
  }
  if (findings.length === 0) return;
  throw invalidObject(KIND, request.metadata?.name ?? '', findings);
}

const BINDABLE = { Node: 'nodes', Pod: 'pods', Secret: 'secrets' } as const;

function isBindable(kind: string): kind is keyof typeof BINDABLE {
  return Object.hasOwn(BINDABLE, kind);
}

function findBound(
  reference: Loose<BoundObjectReference> | undefined,
  account: ServiceAccount,
  { lookup }: TokenOptions,
): BoundReference | undefined {
  if (reference === undefined) return undefined;
  const { apiVersion = '', kind = '', name = '', uid = '' } = reference;
  if (apiVersion !== 'v1' || !isBindable(kind)) {
    const version = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
    throw newBadRequest(`cannot bind token to object of type ${version}, Kind=${kind}`);
  }
  const resource = BINDABLE[kind];
  const namespace = kind === 'Node' ? '' : (account.metadata?.namespace ?? '');
  const object = lookup(resource, namespace, name);
  if (object === undefined) throw newNotFound({ group: '', resource }, name);
  if (kind === 'Pod') checkPod(object, account);
  const { uid: own = '' } = object.metadata ?? {};
  if (uid !== '' && uid !== own) {
    throw newConflict(
      { group: '', resource },
      name,
      `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  }
  return { kind, name, uid: own };
}

function checkPod(pod: Loose<core.Pod>, account: ServiceAccount): void {
  const name = account.metadata?.name ?? '';
  if (name === pod.spec?.serviceAccountName) return;
  throw newBadRequest(
    `cannot bind token for serviceaccount ${JSON.stringify(name)} to pod running with different serviceaccount name.`,
  );
}
