import {
  type DaemonSet,
  daemonSets,
  type Deployment,
  deployments,
  type StatefulSet,
  statefulSets,
} from '../api/apps/v1.ts';
import type { Clientset } from '../kubernetes/clientset.ts';
import type { NamespacedDescriptor, ResourceClient } from '../rest/resource-client.ts';

/** A workload with a rollout, by kind and name. An object of one of these kinds is one too. */
export interface WorkloadRef {
  readonly kind?: 'DaemonSet' | 'Deployment' | 'StatefulSet' | undefined;
  readonly metadata?: { readonly name?: string; readonly namespace?: string } | undefined;
  /** Instead of `metadata.name`. */
  readonly name?: string | undefined;
  /** Instead of `metadata.namespace`. Default: that of the client. */
  readonly namespace?: string | undefined;
}

/** An object with a rollout. */
export type Workload = DaemonSet | Deployment | StatefulSet;

/** A workload that was looked up: its place, and the client of its kind. */
export interface PlacedWorkload {
  readonly kind: NonNullable<WorkloadRef['kind']>;
  readonly name: string;
  readonly namespace: string;
  readonly client: ResourceClient<WorkloadDescriptor>;
}

type WorkloadDescriptor = typeof deployments;

const DESCRIPTORS: Readonly<Record<PlacedWorkload['kind'], NamespacedDescriptor>> = {
  DaemonSet: daemonSets,
  Deployment: deployments,
  StatefulSet: statefulSets,
};

/** Returns where a workload is. Its kind is `Deployment` unless it is given. */
export function placeOf(client: Clientset, ref: WorkloadRef): PlacedWorkload {
  const { kind = 'Deployment', metadata = {} } = ref;
  const name = ref.name ?? metadata.name ?? '';
  const namespace = ref.namespace ?? metadata.namespace ?? client.namespace;
  // The three have the same verbs; callers check the kind before they read other fields.
  const descriptor = DESCRIPTORS[kind] as WorkloadDescriptor;
  return { kind, name, namespace, client: client.resource(descriptor, namespace) };
}
