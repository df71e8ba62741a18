import type { PersistentVolumeClaim, PersistentVolumeSpec, Volume } from 'client-ts/api/core/v1';
import { formatGo, getKey, isJsonObject } from 'client-ts/internal';
import { parseQuantity } from 'client-ts/meta';

import { block, field, flat, indent, type Lines, multiline, type Value } from './lines.ts';
import { annotations, labels, type Loose, orNone, quantity, shortened, sorted } from './values.ts';

type Source = Readonly<Record<string, unknown>>;

/** A field of a volume source: its label, its name in the API, and how it is shown. */
type SourceField = readonly [label: string, name: string, show?: (value: unknown) => Value];

/** A kind of volume: what it is, and its fields or lines. */
interface VolumeKind {
  readonly about: string;
  readonly fields?: readonly SourceField[];
  readonly more?: (source: Source) => Lines;
}

const isTrue = (value: unknown): Value => value === true;
const count = (value: unknown): Value => (typeof value === 'number' ? value : 0);
const list = (value: unknown): Value => formatGo(value ?? []);
const map = (value: unknown): Value => formatGo(value ?? {});
const none = (value: unknown): Value => (value === undefined ? '<none>' : formatGo(value));
/** As Go prints a pointer to a reference. */
const reference = (value: unknown): Value => {
  if (!isJsonObject(value)) return 'nil';
  const { name, namespace } = value;
  return namespace === undefined
    ? `&LocalObjectReference{Name:${textOf(name)},}`
    : `&SecretReference{Name:${textOf(name)},Namespace:${textOf(namespace)},}`;
};

const sizeLimit = (value: unknown): Value => {
  const isSet = typeof value === 'string' || typeof value === 'number';
  return isSet && parseQuantity(value).value() > 0n ? quantity(value) : '<unset>';
};

const fsType: SourceField = ['FSType', 'fsType'];
const readOnly: SourceField = ['ReadOnly', 'readOnly', isTrue];
const optionalSource: SourceField = ['Optional', 'optional', isTrue];
const secretRef: SourceField = ['SecretRef', 'secretRef', reference];
const partition: SourceField = ['Partition', 'partition', count];

/** The kinds of volumes of pods and of persistent volumes, in the order in which kubectl looks. */
const volumeKinds: Readonly<Record<string, VolumeKind>> = {
  hostPath: {
    about: 'HostPath (bare host directory volume)',
    fields: [
      ['Path', 'path'],
      ['HostPathType', 'type', none],
    ],
  },
  emptyDir: {
    about: "EmptyDir (a temporary directory that shares a pod's lifetime)",
    fields: [
      ['Medium', 'medium'],
      ['SizeLimit', 'sizeLimit', sizeLimit],
    ],
  },
  gcePersistentDisk: {
    about: 'GCEPersistentDisk (a Persistent Disk resource in Google Compute Engine)',
    fields: [['PDName', 'pdName'], fsType, partition, readOnly],
  },
  awsElasticBlockStore: {
    about: 'AWSElasticBlockStore (a Persistent Disk resource in AWS)',
    fields: [['VolumeID', 'volumeID'], fsType, partition, readOnly],
  },
  gitRepo: {
    about: 'GitRepo (a volume that is pulled from git when the pod is created)',
    fields: [
      ['Repository', 'repository'],
      ['Revision', 'revision'],
    ],
  },
  secret: {
    about: 'Secret (a volume populated by a Secret)',
    fields: [['SecretName', 'secretName'], optionalSource],
  },
  configMap: {
    about: 'ConfigMap (a volume populated by a ConfigMap)',
    fields: [['Name', 'name'], optionalSource],
  },
  nfs: {
    about: 'NFS (an NFS mount that lasts the lifetime of a pod)',
    fields: [['Server', 'server'], ['Path', 'path'], readOnly],
  },
  iscsi: {
    about:
      "ISCSI (an ISCSI Disk resource that is attached to a kubelet's host machine and then exposed to the pod)",
    fields: [
      ['TargetPortal', 'targetPortal'],
      ['IQN', 'iqn'],
      ['Lun', 'lun', count],
      ['ISCSIInterface', 'iscsiInterface'],
      fsType,
      readOnly,
      ['Portals', 'portals', list],
      ['DiscoveryCHAPAuth', 'chapAuthDiscovery', isTrue],
      ['SessionCHAPAuth', 'chapAuthSession', isTrue],
      secretRef,
      ['InitiatorName', 'initiatorName', none],
    ],
  },
  persistentVolumeClaim: {
    about: 'PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)',
    fields: [['ClaimName', 'claimName'], readOnly],
  },
  ephemeral: {
    about:
      'EphemeralVolume (an inline specification for a volume that gets created and deleted with the pod)',
    more: ({ volumeClaimTemplate: template }) => isJsonObject(template) && claimLines(template),
  },
  rbd: {
    about: "RBD (a Rados Block Device mount on the host that shares a pod's lifetime)",
    fields: [
      ['CephMonitors', 'monitors', list],
      ['RBDImage', 'image'],
      fsType,
      ['RBDPool', 'pool'],
      ['RadosUser', 'user'],
      ['Keyring', 'keyring'],
      secretRef,
      readOnly,
    ],
  },
  downwardAPI: {
    about: 'DownwardAPI (a volume populated by information about the pod)',
    more: ({ items }) =>
      block(
        'Items',
        itemsOf(items).map(({ fieldRef, resourceFieldRef, path }) => [
          isJsonObject(fieldRef) && `${textOf(fieldRef['fieldPath'])} -> ${textOf(path)}`,
          isJsonObject(resourceFieldRef) &&
            `${textOf(resourceFieldRef['resource'])} -> ${textOf(path)}`,
        ]),
      ),
  },
  azureDisk: {
    about: 'AzureDisk (an Azure Data Disk mount on the host and bind mount to the pod)',
    fields: [
      ['DiskName', 'diskName'],
      ['DiskURI', 'diskURI'],
      ['Kind', 'kind'],
      fsType,
      ['CachingMode', 'cachingMode'],
      readOnly,
    ],
  },
  vsphereVolume: {
    about: 'vSphereVolume (a Persistent Disk resource in vSphere)',
    fields: [['VolumePath', 'volumePath'], fsType, ['StoragePolicyName', 'storagePolicyName']],
  },
  cinder: {
    about: 'Cinder (a Persistent Disk resource in OpenStack)',
    fields: [['VolumeID', 'volumeID'], fsType, readOnly, secretRef],
  },
  local: {
    about: 'LocalVolume (a persistent volume backed by local storage on a node)',
    fields: [['Path', 'path']],
  },
  cephfs: {
    about: "CephFS (a CephFS mount on the host that shares a pod's lifetime)",
    fields: [
      ['Monitors', 'monitors', list],
      ['Path', 'path'],
      ['User', 'user'],
      ['SecretFile', 'secretFile'],
      secretRef,
      readOnly,
    ],
  },
  fc: {
    about: 'FC (a Fibre Channel disk)',
    fields: [
      ['TargetWWNs', 'targetWWNs', (value) => (Array.isArray(value) ? value.join(', ') : '')],
      ['LUN', 'lun', none],
      fsType,
      readOnly,
    ],
  },
  azureFile: {
    about: 'AzureFile (an Azure File Service mount on the host and bind mount to the pod)',
    fields: [['SecretName', 'secretName'], ['ShareName', 'shareName'], readOnly],
  },
  flexVolume: {
    about:
      'FlexVolume (a generic volume resource that is provisioned/attached using an exec based plugin)',
    fields: [['Driver', 'driver'], fsType, secretRef, readOnly, ['Options', 'options', map]],
  },
  projected: {
    about: 'Projected (a volume that contains injected data from multiple sources)',
    more: ({ sources }) => itemsOf(sources).map(projectedLines),
  },
  csi: {
    about: 'CSI (a Container Storage Interface (CSI) volume source)',
    more: (source) => [
      field('Driver', textOf(source['driver'])),
      field('FSType', textOf(source['fsType'])),
      source['volumeHandle'] !== undefined && field('VolumeHandle', textOf(source['volumeHandle'])),
      field('ReadOnly', source['readOnly'] === true),
      csiAttributes(source['volumeAttributes']),
    ],
  },
  image: {
    about: 'Image (a container image or OCI artifact)',
    fields: [
      ['Reference', 'reference'],
      ['PullPolicy', 'pullPolicy'],
    ],
  },
  glusterfs: {
    about: "Glusterfs (a Glusterfs mount on the host that shares a pod's lifetime)",
    fields: [['EndpointsName', 'endpoints'], ['Path', 'path'], readOnly],
  },
};

/** The volumes of a pod; `isTemplate`: of a pod template, which is one level deeper. */
export function volumes(all: readonly Loose<Volume>[] | undefined, isTemplate: boolean): Lines {
  const space = isTemplate ? '  ' : '';
  if (all === undefined || all.length === 0) return field(`${space}Volumes`, '<none>');
  return [
    `${space}Volumes:`,
    all.map((volume) => [`  ${isTemplate ? ' ' : ''}${volume.name ?? ''}:`, volumeSource(volume)]),
  ];
}

/** The source of a volume or of a persistent volume. */
export function volumeSource(volume: Loose<PersistentVolumeSpec> | Loose<Volume>): Lines {
  for (const [name, { about, fields = [], more }] of Object.entries(volumeKinds)) {
    const source: unknown = getKey(volume as Source, name);
    if (!isJsonObject(source)) continue;
    const shown = fields.map(([label, key, show = textOf]) =>
      field(label, show(getKey(source, key))),
    );
    return indent([field('Type', about), shown, more?.(source)], 2);
  }
  return indent('<unknown>');
}

/** A claim in a pod, which has neither a name nor a status. */
function claimLines({ metadata, spec }: Loose<PersistentVolumeClaim>): Lines {
  return [
    field('StorageClass', storageClassOf({ metadata, spec })),
    field('Volume', spec?.volumeName),
    // kubectl indents these values, too.
    flat([
      labels('Labels', metadata?.labels),
      annotations('Annotations', metadata?.annotations),
    ]).map((line) => line.replace('\t', '\t    ')),
    field('Capacity', ''),
    field('Access Modes', ''),
    spec?.volumeMode !== undefined && field('VolumeMode', spec.volumeMode),
  ];
}

const classAnnotation = 'volume.beta.kubernetes.io/storage-class';

/** The storage class of a claim or a volume. */
export function storageClassOf({
  metadata,
  spec,
}: Loose<Pick<PersistentVolumeClaim, 'metadata' | 'spec'>>): string {
  return getKey(metadata?.annotations ?? {}, classAnnotation) ?? spec?.storageClassName ?? '';
}

function projectedLines(source: Source): Lines {
  const { secret, downwardAPI, configMap, serviceAccountToken: token } = source;
  if (isJsonObject(secret)) {
    return [
      field('SecretName', textOf(secret['name'])),
      field('Optional', secret['optional'] === true),
    ];
  }
  if (isJsonObject(downwardAPI)) return field('DownwardAPI', true);
  if (isJsonObject(configMap)) {
    return [
      field('ConfigMapName', textOf(configMap['name'])),
      field('Optional', configMap['optional'] === true),
    ];
  }
  return isJsonObject(token) && field('TokenExpirationSeconds', textOf(token['expirationSeconds']));
}

/** The longest attribute, in bytes. */
const longestAttribute = 140;

function csiAttributes(attributes: unknown): Lines {
  const all = isJsonObject(attributes) ? sorted(attributes) : [];
  const lines = all.map(([key, value]) => shortened(`${key}=${textOf(value)}`, longestAttribute));
  // kubectl indents them all, also within the column.
  return multiline(
    'VolumeAttributes',
    lines.length === 0 ? [] : lines.map((line) => `    ${line}`),
  );
}

function itemsOf(value: unknown): Source[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : formatGo(value);
}

/** `RWO,ROX`. */
export function accessModes(modes: readonly (string | undefined)[] | undefined): string {
  const short = { ReadWriteOnce: 'RWO', ReadOnlyMany: 'ROX', ReadWriteMany: 'RWX' };
  const known = Object.entries({ ...short, ReadWriteOncePod: 'RWOP' });
  return known.flatMap(([mode, text]) => (modes?.includes(mode) === true ? [text] : [])).join(',');
}

/** The terms of a node selector: `Term 0:  zone in [a, b]`. */
export function selectorTerms(
  terms: readonly (readonly Loose<{ key: string; operator: string; values: string[] }>[])[],
): Lines {
  return terms.map((term, index) =>
    multiline(
      `Term ${index}`,
      term.map(({ key = '', operator = 'In', values = [] }) => {
        const listed = values.length === 0 ? '' : ` [${values.join(', ')}]`;
        return `${key} ${operator.toLowerCase()}${listed}`;
      }),
    ),
  );
}

/** `<none>` if nothing is listed. */
export function joined(values: readonly (string | undefined)[] | undefined, by = ','): string {
  return orNone(values?.join(by));
}
