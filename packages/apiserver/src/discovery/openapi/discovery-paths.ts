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

const requiredText: OpenApiSchema = { type: 'string', default: '' };
const typeMeta = {
  apiVersion: text('The version of the schema of this object.'),
  kind: text('The kind of this object.'),
};

function text(description: string): OpenApiSchema {
  return { description, type: 'string' };
}

function named(description: string): OpenApiSchema {
  return { description, ...requiredText };
}

const ADDRESSES =
  'Addresses of the server by the network of the client; a client takes the first that fits.';

/** By name, in the notation of the model: a reference is a type name. */
export const DISCOVERY_TYPES: Readonly<Record<string, OpenApiSchema>> = {
  [API_GROUP]: {
    description: 'A group of the API: its name, and the versions that are served.',
    type: 'object',
    required: ['name', 'versions'],
    properties: {
      ...typeMeta,
      name: named('The name of the group.'),
      preferredVersion: {
        description: 'The version that clients should use.',
        default: {},
        $ref: GROUP_VERSION,
      },
      serverAddressByClientCIDRs: listOf(SERVER_ADDRESS, ADDRESSES),
      versions: listOf(GROUP_VERSION, 'The versions that are served.'),
    },
    'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'APIGroup' }],
  },
  [API_GROUP_LIST]: {
    description: 'The groups of the API, for clients that discover it.',
    type: 'object',
    required: ['groups'],
    properties: { ...typeMeta, groups: listOf(API_GROUP, 'The groups.') },
    'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'APIGroupList' }],
  },
  [API_VERSIONS]: {
    description: 'The versions of the group without a name.',
    type: 'object',
    required: ['versions', 'serverAddressByClientCIDRs'],
    properties: {
      ...typeMeta,
      serverAddressByClientCIDRs: listOf(SERVER_ADDRESS, ADDRESSES),
      versions: {
        description: 'The versions that are served.',
        type: 'array',
        items: requiredText,
        'x-kubernetes-list-type': 'atomic',
      },
    },
    'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'APIVersions' }],
  },
  [GROUP_VERSION]: {
    description: 'A version of a group, with and without the name of the group.',
    type: 'object',
    required: ['groupVersion', 'version'],
    properties: {
      groupVersion: named('The group and the version, as `apps/v1`.'),
      version: named('The version alone, as `v1`.'),
    },
  },
  [SERVER_ADDRESS]: {
    description: 'The address of the server for clients in a network.',
    type: 'object',
    required: ['clientCIDR', 'serverAddress'],
    properties: {
      clientCIDR: named('The network of the clients.'),
      serverAddress: named('The address: a name or an IP, with or without a port.'),
    },
  },
  [VERSION_INFO]: versionInfo(),
};

function listOf(type: string, description: string): OpenApiSchema {
  const items = { default: {}, $ref: type };
  return { description, type: 'array', items, 'x-kubernetes-list-type': 'atomic' };
}

function versionInfo(): OpenApiSchema {
  const described = {
    major: named('The major version of Kubernetes.'),
    minor: named('The minor version of Kubernetes.'),
  };
  const plain = [
    'gitVersion',
    'gitCommit',
    'gitTreeState',
    'buildDate',
    'goVersion',
    'compiler',
    'platform',
  ];
  return {
    description: 'The version of the server and how it was built.',
    type: 'object',
    required: [...Object.keys(described), ...plain],
    properties: {
      ...described,
      ...Object.fromEntries(plain.map((name) => [name, requiredText] as const)),
      emulationMajor: text('The major version that the server behaves as.'),
      emulationMinor: text('The minor version that the server behaves as.'),
      minCompatibilityMajor: text('The oldest major version that the server works with.'),
      minCompatibilityMinor: text('The oldest minor version that the server works with.'),
    },
  };
}

const JSON_ONLY = ['application/json'];

/** Documents that do not belong to a group-version, by their path in the index. */
export const FIXED_PATHS: ReadonlyMap<string, ApiPath> = new Map([
  [
    '.well-known/openid-configuration',
    reading('/.well-known/openid-configuration/', {
      id: 'getServiceAccountIssuerOpenIDConfiguration',
      about: 'reads where the keys of service account tokens are',
      tag: 'WellKnown',
      type: TEXT,
      consumes: [],
      produces: JSON_ONLY,
    }),
  ],
  [
    'api',
    reading('/api/', {
      id: 'getCoreAPIVersions',
      about: 'reads the versions of the group without a name',
      tag: operationTag(''),
      type: API_VERSIONS,
    }),
  ],
  [
    'apis',
    reading('/apis/', {
      id: 'getAPIVersions',
      about: 'reads the groups of the API',
      tag: 'apis',
      type: API_GROUP_LIST,
    }),
  ],
  [
    'openid/v1/jwks',
    reading('/openid/v1/jwks/', {
      id: 'getServiceAccountIssuerOpenIDKeyset',
      about: 'reads the public keys of service account tokens',
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
      about: 'reads the version of the server',
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
    about: 'reads the versions of a group',
    tag: operationTag(group),
    type: API_GROUP,
  });
}

/** `/api/v1/`, `/apis/<group>/<version>/`: the resources of a group-version. */
export function resourceListPath(root: string, groupVersion: GroupVersion): ApiPath {
  return reading(`${root}/`, {
    id: operationId('get', groupVersion, 'APIResources'),
    about: 'reads the resources of a version of a group',
    tag: operationTag(groupVersion.group, groupVersion.version),
    type: API_RESOURCE_LIST,
  });
}

interface Reading {
  readonly id: string;
  readonly about: string;
  readonly tag: string;
  readonly type: string;
  readonly consumes?: readonly string[];
  readonly produces?: readonly string[];
}

function reading(path: string, detail: Reading): ApiPath {
  const { type, consumes = ALL_TYPES, produces = ALL_TYPES, ...named } = detail;
  return {
    path,
    operations: { get: { ...named, query: [], consumes, produces, responses: { 200: type } } },
  };
}
