import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags } from '../frame/connection-flags.ts';
import { kubernetesVersionFlag } from '../frame/kubernetes-version-flag.ts';
import { simulationFlags, simulationSettings } from '../frame/simulation-flags.ts';

const simulatedNamespace = 'shop';

/** `client-ts demo`: informers, the simulator and the collector on one screen. */
export const demo: Command = defineCommand({
  name: 'demo',
  summary: 'show a simulated cluster, or your own, live',
  usage: [''],
  about: [
    'Starts an embedded API server with a simulated cluster, and shows the state of its informers: pods per node, event rate, latest warnings. Events are collected into a database for client-ts events. Prints a live screen on a terminal, and a line every few seconds elsewhere.',
    'The address of the inspector, a web page that shows what the program itself is doing, is printed as well.',
    'With connection flags it shows that cluster, read-only, without a simulation.',
  ],
  examples: [
    { about: 'without a cluster', line: 'client-ts demo' },
    {
      about: 'larger and faster',
      line: 'client-ts demo --nodes 12 --deployments 20 --rate 3',
    },
    {
      about: 'a cluster that is still there the next time',
      line: 'client-ts demo --keep',
    },
    {
      about: 'with the resources and fields of an older release of Kubernetes',
      line: 'client-ts demo --kubernetes-version 1.34',
    },
    {
      about: 'your own cluster, read-only',
      line: 'client-ts demo --kubeconfig ~/.kube/config',
    },
  ],
  flags: {
    namespace: {
      type: 'string',
      value: 'NAME',
      short: 'n',
      about: 'only this namespace',
      complete: 'namespace',
    },
    file: {
      type: 'string',
      short: 'f',
      value: 'FILE',
      about:
        'database of collected events (default: .client-ts/events.db, recreated for each simulation without --keep, or a file named after the server)',
      complete: 'file',
    },
    inspect: {
      type: 'boolean',
      default: true,
      about: 'serve the inspector, and print its address',
    },
    keep: {
      type: 'boolean',
      about:
        'keep the simulated cluster and its events in .client-ts, and continue with them the next time',
    },
    'kubernetes-version': kubernetesVersionFlag,
    open: { type: 'boolean', about: 'start a browser with the inspector' },
    plain: { type: 'boolean', about: 'print lines instead of a screen' },
    for: { type: 'duration', about: 'stop after this time (default: on Ctrl-C)' },
    simulate: {
      type: 'boolean',
      optional: true,
      about: 'simulate on the server of the connection flags; requires --yes',
    },
    yes: { type: 'boolean', about: 'confirm writes to the server of the connection flags' },
    ...simulationFlags,
    ...connectionFlags,
  },
  run: async ({ flags, given }, context) => {
    const settings = {
      ...simulationSettings(flags),
      // The same seed would choose names that exist already.
      ...(flags.keep && !given.has('seed') && { seed: context.clock.now() % 2 ** 31 }),
    };
    const { demo: run } = await import('../demo/demo.ts');
    const { namesServer } = await import('../simulate/target.ts');
    const isSimulated = flags.simulate ?? !namesServer({ given });
    await run(
      {
        target: { flags, given },
        namespace: flags.namespace,
        simulation: isSimulated
          ? { ...settings, namespace: flags.namespace ?? simulatedNamespace }
          : undefined,
        isConfirmed: flags.yes,
        database: flags.file,
        isKept: flags.keep,
        kubernetesVersion: given.has('kubernetes-version')
          ? flags['kubernetes-version']
          : undefined,
        isInspected: flags.inspect,
        open: flags.open,
        isPlain: flags.plain,
        durationMs: flags.for,
      },
      context,
    );
  },
});
