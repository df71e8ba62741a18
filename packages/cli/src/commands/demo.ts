import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags } from '../frame/connection-flags.ts';
import { simulationFlags, simulationSettings } from '../frame/simulation-flags.ts';

const simulatedNamespace = 'shop';

/** `client-ts demo`: everything at once, to look at. */
export const demo: Command = defineCommand({
  name: 'demo',
  summary: 'watch a cluster at work: pods per node, events, warnings; without one, simulate it',
  usage: [''],
  about: [
    'Starts an embedded API server with a simulated cluster on it, and shows what informers see of it: pods per node, the rate of events, the latest warnings. Events are collected into a database that can be asked afterwards. On a terminal it is a live screen, elsewhere a line every few seconds.',
    'On a cluster that you name it does the same, reads only, and simulates nothing unless told to.',
  ],
  examples: [
    { about: 'without a cluster', line: 'client-ts demo' },
    {
      about: 'faster, and with more to see',
      line: 'client-ts demo --nodes 12 --deployments 20 --rate 3',
    },
    {
      about: 'on your own cluster, reading only',
      line: 'client-ts demo --kubeconfig ~/.kube/config',
    },
  ],
  flags: {
    namespace: {
      type: 'string',
      value: 'NAME',
      short: 'n',
      about: 'look at this namespace only',
      complete: 'namespace',
    },
    file: {
      type: 'string',
      short: 'f',
      value: 'FILE',
      about:
        'the database for collected events; default: .client-ts/events.db, begun anew for each simulation, or one named after the server',
      complete: 'file',
    },
    plain: { type: 'boolean', about: 'lines instead of a screen' },
    for: { type: 'duration', about: 'end after this long, instead of with Ctrl-C' },
    simulate: {
      type: 'boolean',
      optional: true,
      about: 'simulate a cluster, also on a server that the flags name; needs --yes there',
    },
    yes: { type: 'boolean', about: 'write to the server that the flags name' },
    ...simulationFlags,
    ...connectionFlags,
  },
  run: async ({ flags, given }, context) => {
    const settings = simulationSettings(flags);
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
        isPlain: flags.plain,
        durationMs: flags.for,
      },
      context,
    );
  },
});
