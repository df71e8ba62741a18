import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags } from '../frame/connection-flags.ts';
import { simulationFlags, simulationSettings } from '../frame/simulation-flags.ts';

/** `client-ts simulate`: a simulated cluster on an API server. */
export const simulate: Command = defineCommand({
  name: 'simulate',
  summary: 'simulate nodes, deployments and pods on an API server',
  usage: [''],
  about: [
    'Creates nodes and deployments, and simulates the rest of a cluster: controllers, a scheduler, kubelets, and users who scale, roll out (also broken images) and delete. Pods are scheduled, start, fail and restart, and every component writes its events. No container runs.',
    'Starts an embedded server and writes its kubeconfig, unless connection flags select a server. That requires --yes, and is refused if the server has real nodes.',
  ],
  examples: [
    { about: 'on an embedded server', line: 'client-ts simulate' },
    {
      about: 'larger and faster',
      line: 'client-ts simulate --nodes 50 --deployments 40 --rate 5',
    },
    {
      about: 'on a kube-apiserver without nodes',
      line: 'client-ts simulate --kubeconfig test.kubeconfig --yes',
    },
  ],
  flags: {
    namespace: {
      type: 'string',
      value: 'NAME',
      short: 'n',
      default: 'shop',
      about: 'namespace of the deployments; created if needed',
    },
    yes: { type: 'boolean', about: 'confirm writes to the server of the connection flags' },
    ...simulationFlags,
    ...connectionFlags,
  },
  run: async ({ flags, given }, context) => {
    const settings = { ...simulationSettings(flags), namespace: flags.namespace };
    const { simulate: run } = await import('../simulate/simulate.ts');
    await run({ target: { flags, given }, settings, isConfirmed: flags.yes }, context);
  },
});
