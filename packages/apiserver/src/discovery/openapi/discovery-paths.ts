import type { GroupVersion } from 'client-ts/meta';

import type { OpenApiSchema } from '../../schema/linker.ts';
import { ALL_TYPES } from './path-conventions.ts';
import { type ApiPath, operationId, operationTag, TEXT } from './operation.ts';
import { API_RESOURCE_LIST } from './types.ts';

/* The types of discovery. They are not resources, so the model does not have them. */

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const GROUP_VERSION = `${META}.GroupVersionForDiscovery`;
const SERVER_ADDRESS = `${META}.ServerAddressByClientCIDR`;

const API_GROUP: string = `${META}.APIGroup`;
const API_GROUP_LIST: string = `${META}.APIGroupList`;
const API_VERSIONS: string = `${META}.APIVersions`;
const VERSION_INFO: string = 'io.k8s.apimachinery.pkg.version.Info';

const text: OpenApiSchema = { type: 'string' };
const requiredText: OpenApiSchema = { type: 'string', default: '' };
const typeMeta = { apiVersion: text, kind: text };

/** By name, in the notation of the model: a reference is a type name. */
export const DISCOVERY_TYPES: Readonly<Record<string, OpenApiSchema>> = {
  [API_GROUP]: {
    type: 'object',
    required: ['name', 'versions'],
    properties: {
      ...typeMeta,
      name: requiredText,
      preferredVersion: { default: {}, $ref: GROUP_VERSION },
      serverAddressByClientCIDRs: listOf(SERVER_ADDRESS),
      versions: listOf(GROUP_VERSION),
    },
    'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'APIGroup' }],
  },
  [API_GROUP_LIST]: {
    type: 'object',
    required: ['groups'],
    properties: { ...typeMeta, groups: listOf(API_GROUP) },
    'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'APIGroupList' }],
  },
  [API_VERSIONS]: {
    type: 'object',
    required: ['versions', 'serverAddressByClientCIDRs'],
    properties: {
      ...typeMeta,
      serverAddressByClientCIDRs: listOf(SERVER_ADDRESS),
      versions: { type: 'array', items: requiredText, 'x-kubernetes-list-type': 'atomic' },
    },
    'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'APIVersions' }],
  },
  [GROUP_VERSION]: {
    type: 'object',
    required: ['groupVersion', 'version'],
    properties: { groupVersion: requiredText, version: requiredText },
  },
  [SERVER_ADDRESS]: {
    type: 'object',
    required: ['clientCIDR', 'serverAddress'],
    properties: { clientCIDR: requiredText, serverAddress: requiredText },
  },
  [VERSION_INFO]: versionInfo(),
};

function listOf(type: string): OpenApiSchema {
  const items = { default: {}, $ref: type };
  return { type: 'array', items, 'x-kubernetes-list-type': 'atomic' };
}

function versionInfo(): OpenApiSchema {
  const required = [
    'major',
    'minor',
    'gitVersion',
    'gitCommit',
    'gitTreeState',
    'buildDate',
    'goVersion',
    'compiler',
    'platform',
  ];
  const optional = [
    'emulationMajor',
    'emulationMinor',
    'minCompatibilityMajor',
    'minCompatibilityMinor',
  ];
  return {
    type: 'object',
    required,
    properties: Object.fromEntries([
      ...required.map((name) => [name, requiredText] as const),
      ...optional.map((name) => [name, text] as const),
    ]),
  };
}

const JSON_ONLY = ['application/json'];

/** Documents that do not belong to a group-version, by their path in the index. */
export const FIXED_PATHS: ReadonlyMap<string, ApiPath> = new Map([
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
