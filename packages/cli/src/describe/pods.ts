import type {
  Pod,
  PodTemplateSpec,
  Toleration,
  TopologySpreadConstraint,
} from 'client-ts/api/core/v1';

import { containers, resourceLines, templateMetadata } from './containers.ts';
import type { Describer } from './describer.ts';
import { block, field, indent, type Lines, multiline, optional } from './lines.ts';
import {
  age,
  controllerOf,
  formatSelector,
  identity,
  labels,
  labelsAndAnnotations,
  localTime,
  type Loose,
  type LooseObject,
} from './values.ts';
import { volumes } from './volumes.ts';

/** A pod: where and how it runs, its containers and volumes. */
export const podDescriber: Describer<Pod> = {
  hasEvents: true,
  lines: (pod, { now }) => {
    const { spec = {}, status = {} } = pod;
    const { resources } = spec;
    return [
      identity(pod),
      spec.priority !== undefined && field('Priority', spec.priority),
      optional('Priority Class Name', spec.priorityClassName),
      optional('Runtime Class Name', spec.runtimeClassName),
      optional('Service Account', spec.serviceAccountName),
      field('Node', spec.nodeName ? `${spec.nodeName}/${status.hostIP ?? ''}` : '<none>'),
      status.startTime !== undefined && field('Start Time', localTime(status.startTime)),
      labelsAndAnnotations(pod),
      statusLines(pod, now),
      field('IP', status.podIP),
      ipLines(pod),
      optional('Controlled By', controllerOf(pod)),
      optional('NominatedNodeName', status.nominatedNodeName),
      resources !== undefined && block('Resources', resourceLines(resources)),
      allContainers(pod),
      readinessGates(pod),
      (status.conditions ?? []).length > 0 && [
        'Conditions:',
        indent([
          'Type\tStatus',
          status.conditions?.map((each) => `${each.type} \t${each.status} `),
        ]),
      ],
      volumes(spec.volumes, false),
      field('QoS Class', status.qosClass),
      labels('Node-Selectors', spec.nodeSelector),
      multiline('Tolerations', tolerations(spec.tolerations)),
      spread('Topology Spread Constraints', spec.topologySpreadConstraints),
    ];
  },
};

function statusLines(
  { metadata = {}, spec = {}, status = {} }: LooseObject<Pod>,
  now: number,
): Lines {
  const { phase = '' } = status;
  const isEnding = metadata.deletionTimestamp !== undefined;
  const profile = spec.securityContext?.seccompProfile;
  return [
    isEnding && phase !== 'Failed' && phase !== 'Succeeded'
      ? [
          field('Status', `Terminating (lasts ${age(metadata.deletionTimestamp, now)})`),
          field('Termination Grace Period', `${metadata.deletionGracePeriodSeconds ?? 0}s`),
        ]
      : field('Status', phase),
    optional('Reason', status.reason),
    optional('Message', status.message),
    profile !== undefined && field('SeccompProfile', profile.type),
    profile?.type === 'Localhost' && field('LocalhostProfile', profile.localhostProfile),
  ];
}

function ipLines({ status }: LooseObject<Pod>): Lines {
  const ips = status?.podIPs ?? [];
  if (ips.length === 0) return field('IPs', '<none>');
  return block(
    'IPs',
    ips.map(({ ip }) => field('IP', ip)),
  );
}

function allContainers(pod: LooseObject<Pod>): Lines {
  const { spec = {}, status = {} } = pod;
  const { initContainers = [], ephemeralContainers = [] } = spec;
  const of = (statuses: typeof status.containerStatuses) => ({ statuses, pod });
  return [
    initContainers.length > 0 &&
      containers('Init Containers', initContainers, of(status.initContainerStatuses)),
    containers('Containers', spec.containers, of(status.containerStatuses)),
    ephemeralContainers.length > 0 &&
      containers(
        'Ephemeral Containers',
        ephemeralContainers,
        of(status.ephemeralContainerStatuses),
      ),
  ];
}

function readinessGates({ spec = {}, status = {} }: LooseObject<Pod>): Lines {
  const { readinessGates: gates = [] } = spec;
  if (gates.length === 0) return undefined;
  const rows = gates.map(({ conditionType = '' }) => {
    const found = status.conditions?.find(({ type }) => type === conditionType);
    return `${conditionType} \t${found?.status ?? '<none>'} `;
  });
  return ['Readiness Gates:', indent(['Type\tStatus', rows])];
}

/** The template of the pods of a workload. */
export function podTemplate(template: Loose<PodTemplateSpec> | undefined): Lines {
  if (template === undefined) return block('Pod Template', '<unset>');
  const { metadata, spec = {} } = template;
  const { initContainers = [] } = spec;
  return [
    'Pod Template:',
    templateMetadata(metadata),
    indent(optional('Service Account', spec.serviceAccountName)),
    initContainers.length > 0 && containers('Init Containers', initContainers, {}),
    containers('Containers', spec.containers, {}),
    volumes(spec.volumes, true),
    spread('  Topology Spread Constraints', spec.topologySpreadConstraints),
    indent(optional('Priority Class Name', spec.priorityClassName)),
    labels('  Node-Selectors', spec.nodeSelector),
    multiline('  Tolerations', tolerations(spec.tolerations)),
  ];
}

function tolerations(all: readonly Loose<Toleration>[] | undefined): string[] {
  return (all ?? [])
    .toSorted((a, b) =>
      (a.key ?? '') < (b.key ?? '') ? -1 : (a.key ?? '') > (b.key ?? '') ? 1 : 0,
    )
    .map(({ key = '', value = '', effect = '', operator, tolerationSeconds: seconds }) => {
      const what = `${key}${value && `=${value}`}${effect && `:${effect}`}`;
      const exists = operator === 'Exists' && value === '' ? `${what && ' '}op=Exists` : '';
      return `${what}${exists}${seconds === undefined ? '' : ` for ${seconds}s`}`;
    });
}

function spread(
  label: string,
  constraints: readonly Loose<TopologySpreadConstraint>[] | undefined,
): Lines {
  if (constraints === undefined || constraints.length === 0) return undefined;
  const lines = constraints
    .toSorted((a, b) => ((a.topologyKey ?? '') < (b.topologyKey ?? '') ? -1 : 1))
    .map(({ topologyKey, whenUnsatisfiable, maxSkew, labelSelector }) => {
      const what = `${topologyKey}:${whenUnsatisfiable} when max skew ${maxSkew} is exceeded`;
      const whom = labelSelector === undefined ? '' : formatSelector(labelSelector);
      return whom === '' ? what : `${what} for selector ${whom}`;
    });
  return multiline(label, lines);
}
