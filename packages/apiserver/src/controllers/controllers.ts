import { OptionError } from 'client-ts/internal';

import type { Cluster } from '../registry/cluster.ts';
import { ClusterRoleAggregation } from './cluster-role-aggregation.ts';
import { GarbageCollector } from './garbage-collector.ts';
import { NamespaceController } from './namespace-controller.ts';
import { keepServiceAccounts } from './namespace-furniture.ts';
import { PolicyStatusController } from './policy-status-controller.ts';

/** The controllers of kube-controller-manager that the server runs itself, by their names there. */
export const CONTROLLERS = [
  'clusterrole-aggregation-controller',
  'garbage-collector-controller',
  'namespace-controller',
  'resourcequota-controller',
  'root-ca-certificate-publisher-controller',
  'serviceaccount-controller',
  'validatingadmissionpolicy-status-controller',
] as const;

const OFF_BY_DEFAULT: readonly string[] = ['root-ca-certificate-publisher-controller'];

/** A controller of kube-controller-manager that the server runs itself. */
export type ControllerName = (typeof CONTROLLERS)[number];

/**
 * Which controllers run: a list as in `--controllers` of kube-controller-manager. `*` stands for
 * all but the publisher of the CA, which puts a ConfigMap into every namespace; `-name` switches
 * one off. `true` means `['*']`, `false` means none.
 */
export type ControllerSelection =
  | boolean
  | readonly ('*' | ControllerName | `-${ControllerName}`)[];

/** Parses the list of `--controllers`: `*,-namespace-controller`. Throws for unknown names. */
export function parseControllers(text: string): ControllerSelection {
  const entries = text.split(',').map((entry) => entry.trim());
  const selection = entries.filter((entry) => entry !== '') as Exclude<
    ControllerSelection,
    boolean
  >;
  selectedControllers(selection);
  return selection;
}

/** Returns the controllers that a selection switches on. */
export function selectedControllers(selection: ControllerSelection): ReadonlySet<ControllerName> {
  const entries: readonly string[] =
    typeof selection === 'boolean' ? (selection ? ['*'] : []) : selection;
  for (const entry of entries) {
    const name = entry.replace(/^-/, '');
    if (entry === '*' || (CONTROLLERS as readonly string[]).includes(name)) continue;
    throw new OptionError('controllers', `there is no controller ${JSON.stringify(name)}`);
  }
  return new Set(
    CONTROLLERS.filter(
      (name) =>
        !entries.includes(`-${name}`) &&
        (entries.includes(name) || (entries.includes('*') && !OFF_BY_DEFAULT.includes(name))),
    ),
  );
}

/**
 * Starts controllers. Disposing of one stops it. Quotas and the publisher of the CA are started
 * where they are used.
 */
export function startControllers(
  cluster: Cluster,
  selected: ReadonlySet<ControllerName>,
  onError: (error: unknown) => void,
): readonly Disposable[] {
  const started: Disposable[] = [];
  if (selected.has('garbage-collector-controller')) {
    started.push(new GarbageCollector(cluster, onError));
  }
  if (selected.has('namespace-controller')) started.push(new NamespaceController(cluster, onError));
  if (selected.has('clusterrole-aggregation-controller')) {
    started.push(new ClusterRoleAggregation(cluster, onError));
  }
  if (selected.has('serviceaccount-controller'))
    started.push(keepServiceAccounts(cluster, onError));
  if (selected.has('validatingadmissionpolicy-status-controller')) {
    started.push(new PolicyStatusController(cluster, onError));
  }
  return started;
}
