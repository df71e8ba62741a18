import type { CommandContext } from '../frame/context.ts';
import { sentence } from '../frame/report.ts';
import { checkPermission } from './permission.ts';
import { simulatedLabel, Simulation, type SimulationOptions } from '@client-ts/simulator';
import { namesServer, openTarget, type TargetCall } from './target.ts';

/** What `client-ts simulate` was asked for. */
export interface SimulateOptions {
  readonly target: TargetCall;
  readonly settings: Pick<
    SimulationOptions,
    'deployments' | 'namespace' | 'nodes' | 'rate' | 'seed'
  > & { readonly namespace: string };
  /** Somebody said that a server that is not our own may be written to. */
  readonly isConfirmed: boolean;
}

/** Simulates a cluster until the signal of the context aborts. */
export async function simulate(options: SimulateOptions, context: CommandContext): Promise<void> {
  const { settings, target: call, isConfirmed } = options;
  const { clock, signal } = context;
  await using target = await openTarget(call, context);
  const { client, kubeconfig, url } = target;
  if (namesServer(call)) await checkPermission(client, { url, isConfirmed }, signal);
  const { nodes, deployments, namespace, rate, seed } = settings;
  context.out(
    `Simulating ${nodes} nodes and ${deployments} deployments in namespace ${namespace} at ${url} (rate ${rate}, seed ${seed}).`,
  );
  const kubectl = kubectlFor({ ...call.flags, kubeconfig: kubeconfig ?? call.flags.kubeconfig });
  context.out(`Look at it with: ${kubectl} get pods --namespace ${namespace} --watch`);
  context.out('Ctrl-C stops it.');
  const told = new Set<string>();
  const simulation = new Simulation({
    ...settings,
    client,
    clock,
    onError: (error) => {
      // A server that is away refuses everything in the same words.
      const text = sentence(error);
      if (!told.has(text)) context.err(text);
      told.add(text);
    },
  });
  await simulation.run(signal);
  if (kubeconfig !== undefined) return;
  // By label: a namespace that was there before is not the simulation's to remove.
  context.out(
    `Stopped. To remove what was made: ${kubectl} delete namespaces,nodes -l ${simulatedLabel}=true`,
  );
}

/** Lines to copy must lead to the cluster that was meant: one of them deletes. */
function kubectlFor({ kubeconfig, context }: SimulateOptions['target']['flags']): string {
  const file = kubeconfig === undefined ? '' : ` --kubeconfig ${kubeconfig}`;
  return `kubectl${file}${context === undefined ? '' : ` --context ${context}`}`;
}
