import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags, namespaceFlags } from '../frame/connection-flags.ts';

/** `client-ts attach`: attach to a container. */
export const attach: Command = defineCommand({
  name: 'attach',
  summary: 'attach to the main process of a container',
  usage: ['POD', 'TYPE/NAME'],
  about: [
    'Prints what the main process of a container prints from now on, and with -i passes standard input on to it.',
  ],
  examples: [
    { about: 'the output of a pod', line: 'client-ts attach web-0' },
    { about: 'its terminal', line: 'client-ts attach -it web-0 -c app' },
  ],
  flags: {
    namespace: namespaceFlags.namespace,
    container: { type: 'string', value: 'NAME', short: 'c', about: 'container' },
    stdin: { type: 'boolean', short: 'i', about: 'pass standard input on' },
    tty: { type: 'boolean', short: 't', about: 'standard input is a terminal' },
    quiet: { type: 'boolean', short: 'q', about: 'print only what the process prints' },
    ...connectionFlags,
  },
  positionals: [{ name: 'POD', about: 'a pod, or TYPE/NAME of something that has pods' }],
  required: 1,
  most: 1,
  run: async ({ flags, positionals }, context) => {
    const [target = ''] = positionals;
    const { runInPod } = await import('../streams/exec.ts');
    await runInPod({ connection: flags, ...flags, target, command: undefined }, context);
  },
});
