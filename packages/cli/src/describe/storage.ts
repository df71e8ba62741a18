import type { PersistentVolume, PersistentVolumeClaim, Pod } from 'client-ts/api/core/v1';
import type { CSINode, StorageClass, VolumeAttributesClass } from 'client-ts/api/storage/v1';
import { getKey } from 'client-ts/internal';
import type { KubernetesObject } from 'client-ts/meta';

import type { Describer, Surroundings } from './describer.ts';
import { block, field, indent, type Lines, multiline, optional, table } from './lines.ts';
import {
  age,
  annotations,
  formatLabels,
  identity,
  labels,
  labelsAndAnnotations,
  localTime,
  type LooseObject,
  quantity,
  yesOrNo,
} from './values.ts';
import { accessModes, selectorTerms, storageClassOf, volumeSource } from './volumes.ts';

function phaseLine({ metadata }: KubernetesObject, phase: string | undefined, now: number): string {
  const { deletionTimestamp: end } = metadata ?? {};
  return field('Status', end === undefined ? phase : `Terminating (lasts ${age(end, now)})`);
}

function finalizers({ metadata }: KubernetesObject): string {
  return field('Finalizers', `[${(metadata?.finalizers ?? []).join(' ')}]`);
}

/** A persistent volume. */
export const persistentVolumeDescriber: Describer<PersistentVolume> = {
  hasEvents: true,
  lines: (volume, { now }) => {
    const { metadata, spec = {}, status = {} } = volume;
    const { claimRef, nodeAffinity } = spec;
    const terms = nodeAffinity?.required?.nodeSelectorTerms;
    return [
      field('Name', metadata?.name),
      labelsAndAnnotations(volume),
      finalizers(volume),
      field('StorageClass', storageClassOf({ metadata, spec })),
      phaseLine(volume, status.phase, now),
      field('Claim', claimRef && `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}`),
      field('Reclaim Policy', spec.persistentVolumeReclaimPolicy),
      field('Access Modes', accessModes(spec.accessModes)),
      optional('VolumeMode', spec.volumeMode),
      field('Capacity', quantity(spec.capacity?.['storage'])),
      terms === undefined
        ? field('Node Affinity', '<none>')
        : [
            field('Node Affinity', ''),
            indent(field('Required Terms', terms.length === 0 ? '<none>' : '')),
            indent(selectorTerms(terms.map(({ matchExpressions = [] }) => matchExpressions)), 2),
          ],
      field('Message', status.message),
      'Source:',
      volumeSource(spec),
    ];
  },
};

/** A claim of a volume, with the pods that use it. */
export const persistentVolumeClaimDescriber: Describer<PersistentVolumeClaim> = {
  hasEvents: true,
  lines: async (claim, surroundings) => {
    const { metadata, spec = {}, status = {} } = claim;
    const { conditions = [] } = status;
    const isBound = (spec.volumeName ?? '') !== '';
    return [
      identity(claim),
      field('StorageClass', storageClassOf({ metadata, spec })),
      phaseLine(claim, status.phase, surroundings.now),
      field('Volume', spec.volumeName),
      labelsAndAnnotations(claim),
      finalizers(claim),
      field('Capacity', isBound ? quantity(status.capacity?.['storage']) : ''),
      field('Access Modes', isBound ? accessModes(status.accessModes) : ''),
      optional('VolumeMode', spec.volumeMode),
      dataSource(claim),
      multiline('Used By', await podsUsing(claim, surroundings)),
      conditions.length > 0 &&
        block(
          'Conditions',
          table(
            [
              'Type',
              'Status',
              ['LastProbeTime', 'LastHeartbeatTime'.length],
              'LastTransitionTime',
              'Reason',
              'Message',
            ],
            conditions.map((condition) => [
              `${condition.type ?? ''} `,
              `${condition.status ?? ''} `,
              `${localTime(condition.lastProbeTime)} `,
              `${localTime(condition.lastTransitionTime)} `,
              `${condition.reason ?? ''} `,
              condition.message,
            ]),
          ),
        ),
    ];
  },
};

function dataSource({ spec }: LooseObject<PersistentVolumeClaim>): Lines {
  const source = spec?.dataSource;
  return (
    source !== undefined &&
    block('DataSource', [
      optional('APIGroup', source.apiGroup),
      field('Kind', source.kind),
      field('Name', source.name),
    ])
  );
}

async function podsUsing(
  { metadata = {} }: LooseObject<PersistentVolumeClaim>,
  { client, signal }: Surroundings,
): Promise<string[]> {
  const { items } = await client.coreV1
    .pods(metadata.namespace ?? '')
    .listAll({ signal })
    .toList();
  const owners = (metadata.ownerReferences ?? []).filter(({ kind }) => kind === 'Pod');
  const isUser = ({ metadata: { uid }, spec }: (typeof items)[number]): boolean =>
    owners.some((owner) => owner.uid === uid) || claimsOf(spec).includes(metadata.name ?? '');
  return items
    .filter(isUser)
    .map((pod) => pod.metadata.name)
    .toSorted();
}

function claimsOf(spec: Pod['spec']): string[] {
  return (spec?.volumes ?? []).flatMap(({ persistentVolumeClaim: claim }) =>
    claim === undefined ? [] : [claim.claimName],
  );
}

const defaultClass = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

/** A storage class. */
export const storageClassDescriber: Describer<StorageClass> = {
  hasEvents: true,
  lines: (storageClass) => {
    const { metadata, mountOptions = [], allowedTopologies, allowVolumeExpansion } = storageClass;
    const notes = metadata?.annotations ?? {};
    const isDefault = defaultClass.some((name) => getKey(notes, name) === 'true');
    return [
      field('Name', metadata?.name),
      field('IsDefaultClass', isDefault ? 'Yes' : 'No'),
      field('Annotations', formatLabels(notes)),
      field('Provisioner', storageClass.provisioner),
      field('Parameters', formatLabels(storageClass.parameters)),
      field(
        'AllowVolumeExpansion',
        allowVolumeExpansion === undefined ? '<unset>' : yesOrNo(allowVolumeExpansion),
      ),
      mountOptions.length === 0
        ? field('MountOptions', '<none>')
        : block('MountOptions', mountOptions),
      optional('ReclaimPolicy', storageClass.reclaimPolicy),
      optional('VolumeBindingMode', storageClass.volumeBindingMode),
      allowedTopologies !== undefined && [
        field('AllowedTopologies', allowedTopologies.length === 0 ? '<none>' : ''),
        indent(
          selectorTerms(
            allowedTopologies.map(({ matchLabelExpressions = [] }) => matchLabelExpressions),
          ),
        ),
      ],
    ];
  },
};

/** A class of attributes of volumes. */
export const volumeAttributesClassDescriber: Describer<VolumeAttributesClass> = {
  hasEvents: true,
  lines: ({ metadata, driverName, parameters }) => [
    field('Name', metadata?.name),
    field('Annotations', formatLabels(metadata?.annotations)),
    field('DriverName', driverName),
    field('Parameters', formatLabels(parameters)),
  ],
};

/** The CSI drivers of a node. */
export const csiNodeDescriber: Describer<CSINode> = {
  hasEvents: true,
  lines: ({ metadata, spec }) => [
    field('Name', metadata?.name),
    labels('Labels', metadata?.labels),
    annotations('Annotations', metadata?.annotations),
    field('CreationTimestamp', localTime(metadata?.creationTimestamp)),
    'Spec:',
    spec?.drivers !== undefined &&
      indent(
        block(
          'Drivers',
          spec.drivers.map(({ name = '', nodeID, allocatable, topologyKeys }) =>
            block(name, [
              field('Node ID', nodeID),
              allocatable?.count !== undefined &&
                block('Allocatables', field('Count', allocatable.count)),
              topologyKeys !== undefined && field('Topology Keys', `[${topologyKeys.join(' ')}]`),
            ]),
          ),
        ),
      ),
  ],
};
