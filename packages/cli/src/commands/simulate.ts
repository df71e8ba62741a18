import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags } from '../frame/connection-flags.ts';
import { simulationFlags, simulationSettings } from '../frame/simulation-flags.ts';

/** `client-ts simulate`: life for an API server that has none. */
export const simulate: Command = defineCommand({
  name: 'simulate',
  summary: 'simulate a small cluster on an API server: nodes, deployments, pods, events',
  usage: [''],
  about: [
    'Gives life to an API server: makes nodes and deployments, and runs what a cluster has besides its API: controllers, a scheduler, kubelets, and people who scale, roll out, make mistakes and delete. Pods are scheduled, start, fail, restart and go, and everybody writes events. Nothing runs anywhere.',
    'Without a server it starts an embedded one, and writes a kubeconfig for it. On a server that you name it writes only with --yes, and never where there are real nodes.',
  ],
  examples: [
    { about: 'on an embedded server', line: 'client-ts simulate' },
    {
      about: 'a larger one in a hurry',
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
      about: 'where the deployments are; it is made if it is not there',
    },
    yes: { type: 'boolean', about: 'write to the server that the flags name' },
    ...simulationFlags,
    ...connectionFlags,
  },
  run: async ({ flags, given }, context) => {
    const settings = { ...simulationSettings(flags), namespace: flags.namespace };
    const { simulate: run } = await import('../simulate/simulate.ts');
    await run({ target: { flags, given }, settings, isConfirmed: flags.yes }, context);
  },
});
