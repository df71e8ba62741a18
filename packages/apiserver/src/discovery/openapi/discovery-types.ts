import type { OpenApiSchema } from '../../schema/linker.ts';

/*
 * The types of discovery, which are no resources and therefore not in the model.
 */

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const GROUP_VERSION = `${META}.GroupVersionForDiscovery`;
const SERVER_ADDRESS = `${META}.ServerAddressByClientCIDR`;

export const API_GROUP: string = `${META}.APIGroup`;
export const API_GROUP_LIST: string = `${META}.APIGroupList`;
export const API_VERSIONS: string = `${META}.APIVersions`;
export const VERSION_INFO: string = 'io.k8s.apimachinery.pkg.version.Info';

const text: OpenApiSchema = { type: 'string' };
const requiredText: OpenApiSchema = { type: 'string', default: '' };
const typeMeta = { apiVersion: text, kind: text };

/** By name, in the notation of the model: a reference is the name of a type. */
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
