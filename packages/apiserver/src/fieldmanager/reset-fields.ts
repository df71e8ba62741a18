import { groupResourceName } from 'client-ts/meta';
import {
  branch,
  type FieldSet,
  isEmpty,
  isMember,
  mapSet,
  recursiveDifference,
  setOf,
} from './field-set.ts';
import { fieldElement } from './path-element.ts';
import type { FieldFilter } from './updater.ts';

/** The endpoint of a write. */
export interface Endpoint {
  readonly group: string;
  readonly resource: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** True if the resource has a `/status` endpoint. */
  readonly hasStatus: boolean;
  /** True for custom resources. */
  readonly custom: boolean;
}

/** Paths from the root, with `*` for any step. */
type Paths = readonly string[];

const ofObject: Paths = ['status'];
const ofStatus: Paths = ['spec'];
const ofStatusWithMetadata: Paths = ['spec', 'metadata'];

/** Resources whose `/status` resets all metadata; custom resources do so, too. */
const metadataFree: ReadonlySet<string> = new Set([
  'apiservices.apiregistration.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
  'devicetaintrules.resource.k8s.io',
  'flowschemas.flowcontrol.apiserver.k8s.io',
  'podgroups.scheduling.k8s.io',
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io',
  'resourceclaims.resource.k8s.io',
  'resourcepoolstatusrequests.resource.k8s.io',
  'servicecidrs.networking.k8s.io',
  'storageversionmigrations.storagemigration.k8s.io',
  'storageversions.internal.apiserver.k8s.io',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'volumeattachments.storage.k8s.io',
]);

/** Endpoints that differ from the rule. */
const exceptions: ReadonlyMap<string, Paths> = new Map(
  Object.entries({
    'certificatesigningrequests.certificates.k8s.io': ['spec', 'status'],
    'certificatesigningrequests.certificates.k8s.io/approval': ['spec', 'status.certificate'],
    'certificatesigningrequests.certificates.k8s.io/status': ['spec', 'status.conditions'],
    'deployments.apps/status': ['spec', 'metadata.labels'],
    'namespaces/finalize': ['status'],
    'podcertificaterequests.certificates.k8s.io': [],
    'pods/status': ['spec', 'metadata.deletionTimestamp', 'metadata.ownerReferences'],
  }),
);

/** Endpoints whose clients can own only these fields. */
const only: ReadonlyMap<string, Paths> = new Map(
  Object.entries({
    'pods/ephemeralcontainers': ['spec.ephemeralContainers'],
    'pods/resize': ['containers', 'initContainers'].flatMap((list) => [
      `spec.${list}.*.resources`,
      `spec.${list}.*.resizePolicy`,
    ]),
  }),
);

/**
 * Returns a filter for the fields that clients of an endpoint cannot own, because the endpoint
 * resets them: status through the object itself, everything else through `/status`. Undefined if
 * there are none.
 */
export function resetFieldsOf(endpoint: Endpoint): FieldFilter | undefined {
  const { subresource, hasStatus, custom } = endpoint;
  const resource = groupResourceName(endpoint);
  const key = subresource === '' ? resource : `${resource}/${subresource}`;
  const kept = only.get(key);
  if (kept !== undefined) return including(kept);
  const except = exceptions.get(key);
  if (except !== undefined) return excluding(except);
  if (subresource === '') return hasStatus ? excluding(ofObject) : undefined;
  if (subresource !== 'status') return undefined;
  return excluding(custom || metadataFree.has(resource) ? ofStatusWithMetadata : ofStatus);
}

/** The lists are few and constant, so each gets its filter once. */
const filters = new WeakMap<Paths, FieldFilter>();

function excluding(paths: Paths): FieldFilter {
  return remembered(paths, (excluded) => (set) => recursiveDifference(set, excluded));
}

function including(paths: Paths): FieldFilter {
  return remembered(paths, (included) => (set) => restrict(set, included));
}

function remembered(paths: Paths, make: (set: FieldSet) => FieldFilter): FieldFilter {
  let filter = filters.get(paths);
  if (filter === undefined) {
    filter = make(setOf(...paths.map((path) => path.split('.').map(fieldElement))));
    filters.set(paths, filter);
  }
  return filter;
}

const anyStep = fieldElement('*');

/** Keeps the included fields, their parents and everything below them. */
function restrict(set: FieldSet, included: FieldSet): FieldSet {
  return mapSet(set, (node, element) => {
    const inner = included[anyStep] ?? included[element];
    if (inner === undefined) return undefined;
    if (isEmpty(inner)) return node;
    return branch(isMember(set, element), restrict(node, inner));
  });
}
