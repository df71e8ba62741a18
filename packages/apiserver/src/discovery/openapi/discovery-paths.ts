import type { GroupVersion } from 'client-ts/meta';
import { API_GROUP, API_GROUP_LIST, API_VERSIONS, VERSION_INFO } from './discovery-types.ts';
import { ALL_TYPES } from './flavour.ts';
import { type ApiPath, TEXT } from './operation.ts';
import { operationId, operationTag } from './operation-names.ts';
import { API_RESOURCE_LIST } from './type-names.ts';

const JSON_ONLY = ['application/json'];

/** Documents that are not about a group-version, by their place in the index, with their paths. */
export const STANDING_PATHS: ReadonlyMap<string, ApiPath> = new Map([
  [
    '.well-known/openid-configuration',
    reading('/.well-known/openid-configuration/', {
      id: 'getServiceAccountIssuerOpenIDConfiguration',
      tag: 'WellKnown',
      type: TEXT,
      consumes: [],
      produces: JSON_ONLY,
    }),
  ],
  [
    'api',
    reading('/api/', { id: 'getCoreAPIVersions', tag: operationTag(''), type: API_VERSIONS }),
  ],
  ['apis', reading('/apis/', { id: 'getAPIVersions', tag: 'apis', type: API_GROUP_LIST })],
  [
    'openid/v1/jwks',
    reading('/openid/v1/jwks/', {
      id: 'getServiceAccountIssuerOpenIDKeyset',
      tag: 'openid',
      type: TEXT,
      consumes: [],
      produces: ['application/jwk-set+json'],
    }),
  ],
  [
    'version',
    reading('/version/', {
      id: 'getCodeVersion',
      tag: 'version',
      type: VERSION_INFO,
      consumes: JSON_ONLY,
      produces: JSON_ONLY,
    }),
  ],
]);

/** `/apis/<group>/`: the versions of a group. */
export function groupPath(group: string): ApiPath {
  return reading(`/apis/${group}/`, {
    id: operationId('get', { group }, 'APIGroup'),
    tag: operationTag(group),
    type: API_GROUP,
  });
}

/** `/api/v1/`, `/apis/<group>/<version>/`: the resources of a group-version. */
export function resourceListPath(root: string, groupVersion: GroupVersion): ApiPath {
  return reading(`${root}/`, {
    id: operationId('get', groupVersion, 'APIResources'),
    tag: operationTag(groupVersion.group, groupVersion.version),
    type: API_RESOURCE_LIST,
  });
}

interface Reading {
  readonly id: string;
  readonly tag: string;
  readonly type: string;
  readonly consumes?: readonly string[];
  readonly produces?: readonly string[];
}

function reading(path: string, detail: Reading): ApiPath {
  const { id, tag, type, consumes = ALL_TYPES, produces = ALL_TYPES } = detail;
  return {
    path,
    operations: { get: { id, tag, query: [], consumes, produces, responses: { 200: type } } },
  };
}
