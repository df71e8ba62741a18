import type { CommandContext } from '../frame/context.ts';
import { sentence } from '../frame/report.ts';
import { simulatedLabel, Simulation, type SimulationOptions } from '@client-ts/simulator';
import { openTarget, requireConfirmation, type TargetCall } from './target.ts';

/** Options of `client-ts simulate`. */
export interface SimulateOptions {
  readonly target: TargetCall;
  readonly settings: Pick<
    SimulationOptions,
    'deployments' | 'namespace' | 'nodes' | 'rate' | 'seed'
  > & { readonly namespace: string };
  /** `--yes`: may write to a server that the flags name. */
  readonly isConfirmed: boolean;
}

/** Simulates a cluster until the signal of the context aborts. */
export async function simulate(options: SimulateOptions, context: CommandContext): Promise<void> {
  const { settings, target: call, isConfirmed } = options;
  const { clock, signal } = context;
  await using target = await openTarget(call, context);
  const { client, kubeconfig, kubelet, url } = target;
  requireConfirmation(call, url, isConfirmed);
  const { nodes, deployments, namespace, rate, seed } = settings;
  context.out(
    `Simulating ${nodes} nodes and ${deployments} deployments in namespace ${namespace} at ${url} (rate ${rate}, seed ${seed}).`,
  );
  const kubectl = kubectlFor({ ...call.flags, kubeconfig: kubeconfig ?? call.flags.kubeconfig });
  context.out(`Watch it with: ${kubectl} get pods --namespace ${namespace} --watch`);
  context.out('Ctrl-C stops it.');
  const reported = new Set<string>();
  const simulation = new Simulation({
    ...settings,
    client,
    kubelet,
    clock,
    onError: (error) => {
      // While a server is down every attempt fails with the same message.
      const text = sentence(error);
      if (!reported.has(text)) context.err(text);
      reported.add(text);
    },
  });
  await simulation.run({ signal });
  if (kubeconfig !== undefined) return;
  // By label: an existing namespace must not be removed.
  context.out(
    `Stopped. Remove the objects with: ${kubectl} delete namespaces,nodes -l ${simulatedLabel}=true`,
  );
}

/** The command to copy must select the same cluster: one of them deletes. */
function kubectlFor({ kubeconfig, context }: SimulateOptions['target']['flags']): string {
  const file = kubeconfig === undefined ? '' : ` --kubeconfig ${kubeconfig}`;
  return `kubectl${file}${context === undefined ? '' : ` --context ${context}`}`;
}
