import type { QueryParameter } from './operation.ts';

const JSON_TYPE = 'application/json';
const YAML_TYPE = 'application/yaml';
const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf';

/** The media types of discovery documents and of built-in kinds. */
export const ALL_TYPES: readonly string[] = [JSON_TYPE, YAML_TYPE, PROTOBUF_TYPE];

/** Any media type. */
export const ANY_TYPE: readonly string[] = ['*/*'];

const LISTED: readonly QueryParameter[] = [
  'allowWatchBookmarks',
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'pretty',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'shardSelector',
  'timeoutSeconds',
  'watch',
];
const WRITTEN: readonly QueryParameter[] = ['dryRun', 'fieldManager', 'fieldValidation'];
const REMOVED: readonly QueryParameter[] = [
  'dryRun',
  'gracePeriodSeconds',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'orphanDependents',
  'pretty',
  'propagationPolicy',
];

/** The differences between the paths of built-in and custom resources. */
export interface PathConventions {
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly listProduces: readonly string[];
  /** Custom resources have no strategic merge patch; kubectl chooses its patch type by this. */
  readonly patchTypes: readonly string[];
  readonly patchStatuses: readonly number[];
  readonly query: {
    readonly get: readonly QueryParameter[];
    readonly list: readonly QueryParameter[];
    readonly create: readonly QueryParameter[];
    readonly patch: readonly QueryParameter[];
    readonly remove: readonly QueryParameter[];
    /** The query of deletecollection. */
    readonly collection: readonly QueryParameter[];
  };
  /** Whether deletecollection is documented to take options in its body. */
  readonly collectionBody: boolean;
  readonly hasWatchPaths: boolean;
}

export const BUILT_IN: PathConventions = {
  consumes: ANY_TYPE,
  produces: ALL_TYPES,
  listProduces: [...ALL_TYPES, `${JSON_TYPE};stream=watch`, `${PROTOBUF_TYPE};stream=watch`],
  patchTypes: [
    'application/json-patch+json',
    'application/merge-patch+json',
    'application/strategic-merge-patch+json',
    'application/apply-patch+yaml',
  ],
  patchStatuses: [200, 201],
  query: {
    get: ['pretty'],
    list: LISTED,
    create: [...WRITTEN, 'pretty'],
    patch: [...WRITTEN, 'force', 'pretty'],
    remove: REMOVED,
    collection: [
      ...new Set([...LISTED, ...REMOVED].filter((name) => !isWatching(name)).toSorted()),
    ],
  },
  collectionBody: true,
  hasWatchPaths: true,
};

export const CUSTOM: PathConventions = {
  ...BUILT_IN,
  consumes: [JSON_TYPE, YAML_TYPE],
  produces: [JSON_TYPE, YAML_TYPE],
  listProduces: [JSON_TYPE, YAML_TYPE],
  patchTypes: BUILT_IN.patchTypes.filter((type) => !type.includes('strategic')),
  patchStatuses: [200],
  query: { ...BUILT_IN.query, get: ['pretty', 'resourceVersion'], collection: LISTED },
  collectionBody: false,
  hasWatchPaths: false,
};

function isWatching(name: QueryParameter): boolean {
  return name === 'allowWatchBookmarks' || name === 'watch';
}
