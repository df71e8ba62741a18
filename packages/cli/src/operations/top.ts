import { Clientset } from 'client-ts/kubernetes';
import { type NodeUsage, type PodUsage, topNodes, topPods, type Usage } from 'client-ts/operations';

import { CliError } from '../frame/cli-error.ts';
import type { ConnectionValues } from '../frame/connection-flags.ts';
import type { CommandContext } from '../frame/context.ts';
import { Columns } from '../print/align.ts';
import { openSession } from '../resources/session.ts';

/** Options of `client-ts top`. */
export interface TopCommandOptions {
  readonly connection: ConnectionValues;
  readonly what: 'nodes' | 'pods';
  readonly name: string | undefined;
  readonly namespace: string | undefined;
  readonly allNamespaces: boolean;
  readonly labelSelector: string | undefined;
  readonly containers: boolean;
  readonly headers: boolean;
  readonly sortBy: 'cpu' | 'memory' | undefined;
  /** Add a line with the sum of all pods. */
  readonly sum: boolean;
}

/** Prints what nodes or pods use, as `kubectl top` does. */
export async function top(options: TopCommandOptions, context: CommandContext): Promise<void> {
  await using session = await openSession(options.connection, context, options);
  const client = new Clientset(session.rest);
  const { labelSelector, name, sortBy } = options;
  const { signal } = context;
  const isNamed = (usage: { readonly name: string }): boolean =>
    name === undefined || usage.name === name;
  const order = (left: Usage, right: Usage): number =>
    sortBy === undefined ? 0 : right[sortBy] - left[sortBy];
  let rows: string[][];
  if (options.what === 'nodes') {
    const nodes = await topNodes(client, { labelSelector, signal });
    const shown = nodes.filter(isNamed).sort(order);
    if (shown.length === 0) throw noMetrics('nodes', name);
    rows = [NODE_HEADINGS, ...shown.map(nodeRow)];
  } else {
    const namespace = options.allNamespaces ? undefined : session.namespace;
    const pods = await topPods(client, { namespace, labelSelector, signal });
    const shown = pods.filter(isNamed).sort(order);
    if (shown.length === 0 && name !== undefined) throw noMetrics('pods', name);
    if (shown.length === 0) {
      const where = namespace === undefined ? '' : ` in ${namespace} namespace.`;
      return context.err(`No resources found${where}`);
    }
    rows = [...podRows(shown, options), ...(options.sum ? sumRows(shown, options) : [])];
  }
  for (const line of new Columns().align(options.headers ? rows : rows.slice(1))) {
    context.out(line);
  }
}

function noMetrics(what: 'nodes' | 'pods', name: string | undefined): CliError {
  const message = name === undefined ? `no metrics of ${what}` : `no metrics of ${what} "${name}"`;
  return new CliError('CLI_NOTHING_SELECTED', `${message} found`);
}

const NODE_HEADINGS = ['NAME', 'CPU(cores)', 'CPU(%)', 'MEMORY(bytes)', 'MEMORY(%)'];

function nodeRow({ name, cpu, memory, allocatable }: NodeUsage): string[] {
  const share = (used: number, all: number | undefined): string =>
    all === undefined || all === 0 ? '<unknown>' : `${Math.floor((used * 100) / all)}%`;
  return [
    name,
    cores(cpu),
    share(cpu, allocatable?.cpu),
    bytes(memory),
    share(memory, allocatable?.memory),
  ];
}

function podRows(
  pods: readonly PodUsage[],
  { allNamespaces, containers }: TopCommandOptions,
): string[][] {
  const place = (namespace: string): string[] => (allNamespaces ? [namespace] : []);
  const usage = ['CPU(cores)', 'MEMORY(bytes)'];
  if (!containers) {
    return [
      [...place('NAMESPACE'), 'NAME', ...usage],
      ...pods.map((pod) => [...place(pod.namespace), pod.name, cores(pod.cpu), bytes(pod.memory)]),
    ];
  }
  return [
    [...place('NAMESPACE'), 'POD', 'NAME', ...usage],
    ...pods.flatMap((pod) =>
      pod.containers.map(({ name, cpu, memory }) => [
        ...place(pod.namespace),
        pod.name,
        name,
        cores(cpu),
        bytes(memory),
      ]),
    ),
  ];
}

/** The sum below a line, in the last columns. */
function sumRows(
  pods: readonly PodUsage[],
  { allNamespaces, containers }: TopCommandOptions,
): string[][] {
  const total = (what: 'cpu' | 'memory'): number => pods.reduce((sum, pod) => sum + pod[what], 0);
  const empty = Array.from({ length: Number(allNamespaces) + Number(containers) }, () => '');
  return [
    [...empty, '', '________', '________'],
    [...empty, '', cores(total('cpu')), bytes(total('memory'))],
  ];
}

/** Millicores, rounded up as quantities are. */
function cores(cpu: number): string {
  return `${Math.ceil(Number((cpu * 1000).toFixed(6)))}m`;
}

function bytes(memory: number): string {
  return `${Math.floor(memory / 2 ** 20)}Mi`;
}
