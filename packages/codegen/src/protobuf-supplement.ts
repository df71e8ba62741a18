import type { GoShape, GoShapes } from './model.ts';

const typeMeta = ['kind', 'apiVersion'];
const list = {
  order: [...typeMeta, 'metadata', 'items'],
  pointer: [],
  always: ['metadata', 'items'],
};

/** A shape whose fields are always written and never pointers. */
function plain(...order: string[]): GoShape {
  return { order, pointer: [], always: order };
}

/**
 * Shapes of messages that servers send as protobuf and that are missing from the API model, because
 * OpenAPI describes no endpoint that returns them: discovery documents and partial metadata.
 */
export const supplementShapes: GoShapes = {
  'io.k8s.api.apidiscovery.v2.APIGroupDiscovery': {
    order: [...typeMeta, 'metadata', 'versions'],
    pointer: [],
    always: ['metadata'],
  },
  'io.k8s.api.apidiscovery.v2.APIGroupDiscoveryList': list,
  'io.k8s.api.apidiscovery.v2.APIResourceDiscovery': {
    order: [
      'resource',
      'responseKind',
      'scope',
      'singularResource',
      'verbs',
      'shortNames',
      'categories',
      'subresources',
    ],
    pointer: ['responseKind'],
    always: ['resource', 'scope', 'singularResource', 'verbs'],
  },
  'io.k8s.api.apidiscovery.v2.APISubresourceDiscovery': {
    order: ['subresource', 'responseKind', 'acceptedTypes', 'verbs'],
    pointer: ['responseKind'],
    always: ['subresource', 'verbs'],
  },
  'io.k8s.api.apidiscovery.v2.APIVersionDiscovery': {
    order: ['version', 'resources', 'freshness'],
    pointer: [],
    always: ['version'],
  },
  'io.k8s.api.core.v1.List': list,
  'io.k8s.apimachinery.pkg.apis.meta.v1.APIGroup': {
    order: [...typeMeta, 'name', 'versions', 'preferredVersion', 'serverAddressByClientCIDRs'],
    pointer: [],
    always: ['name', 'versions', 'preferredVersion'],
  },
  'io.k8s.apimachinery.pkg.apis.meta.v1.APIGroupList': {
    order: [...typeMeta, 'groups'],
    pointer: [],
    always: ['groups'],
  },
  'io.k8s.apimachinery.pkg.apis.meta.v1.APIVersions': {
    order: [...typeMeta, 'versions', 'serverAddressByClientCIDRs'],
    pointer: [],
    always: ['versions', 'serverAddressByClientCIDRs'],
  },
  'io.k8s.apimachinery.pkg.apis.meta.v1.GroupVersionForDiscovery': plain('groupVersion', 'version'),
  'io.k8s.apimachinery.pkg.apis.meta.v1.GroupVersionKind': plain('group', 'version', 'kind'),
  'io.k8s.apimachinery.pkg.apis.meta.v1.PartialObjectMetadata': {
    order: [...typeMeta, 'metadata'],
    pointer: [],
    always: ['metadata'],
  },
  'io.k8s.apimachinery.pkg.apis.meta.v1.PartialObjectMetadataList': list,
  'io.k8s.apimachinery.pkg.apis.meta.v1.ServerAddressByClientCIDR': plain(
    'clientCIDR',
    'serverAddress',
  ),
  'io.k8s.apimachinery.pkg.apis.meta.v1beta1.PartialObjectMetadataList': list,
};

/**
 * The kinds of these messages, by apiVersion. Discovery documents of the core group leave the
 * apiVersion empty.
 */
export const supplementKinds: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '': {
    APIGroup: 'k8s.io.apimachinery.pkg.apis.meta.v1.APIGroup',
    APIGroupList: 'k8s.io.apimachinery.pkg.apis.meta.v1.APIGroupList',
    APIResourceList: 'k8s.io.apimachinery.pkg.apis.meta.v1.APIResourceList',
    APIVersions: 'k8s.io.apimachinery.pkg.apis.meta.v1.APIVersions',
  },
  v1: {
    APIGroup: 'k8s.io.apimachinery.pkg.apis.meta.v1.APIGroup',
    APIGroupList: 'k8s.io.apimachinery.pkg.apis.meta.v1.APIGroupList',
    APIVersions: 'k8s.io.apimachinery.pkg.apis.meta.v1.APIVersions',
    List: 'k8s.io.api.core.v1.List',
  },
  'apidiscovery.k8s.io/v2': {
    APIGroupDiscovery: 'k8s.io.api.apidiscovery.v2.APIGroupDiscovery',
    APIGroupDiscoveryList: 'k8s.io.api.apidiscovery.v2.APIGroupDiscoveryList',
  },
  'meta.k8s.io/v1': {
    DeleteOptions: 'k8s.io.apimachinery.pkg.apis.meta.v1.DeleteOptions',
    PartialObjectMetadata: 'k8s.io.apimachinery.pkg.apis.meta.v1.PartialObjectMetadata',
    PartialObjectMetadataList: 'k8s.io.apimachinery.pkg.apis.meta.v1.PartialObjectMetadataList',
  },
  'meta.k8s.io/v1beta1': {
    PartialObjectMetadata: 'k8s.io.apimachinery.pkg.apis.meta.v1.PartialObjectMetadata',
    PartialObjectMetadataList:
      'k8s.io.apimachinery.pkg.apis.meta.v1beta1.PartialObjectMetadataList',
  },
};
