import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags, namespaceFlags } from '../frame/connection-flags.ts';
import { UsageError } from '../frame/usage-error.ts';

/** `client-ts exec`: run a command in a container. */
export const exec: Command = defineCommand({
  name: 'exec',
  summary: 'run a command in a container',
  usage: ['POD -- COMMAND [ARGUMENT…]', 'TYPE/NAME -- COMMAND [ARGUMENT…]'],
  about: [
    'Runs a command and prints what it prints. The exit code is that of the command.',
    'Write -- before the command, so that its flags are not taken for flags of client-ts.',
  ],
  examples: [
    { about: 'the date in a pod', line: 'client-ts exec web-0 -- date' },
    { about: 'a shell', line: 'client-ts exec -it web-0 -c app -- sh' },
    { about: 'send a file', line: "client-ts exec -i web-0 -- sh -c 'cat > /tmp/x' < x" },
  ],
  flags: {
    namespace: namespaceFlags.namespace,
    container: { type: 'string', value: 'NAME', short: 'c', about: 'container' },
    stdin: { type: 'boolean', short: 'i', about: 'pass standard input on' },
    tty: { type: 'boolean', short: 't', about: 'standard input is a terminal' },
    quiet: { type: 'boolean', short: 'q', about: 'print only what the command prints' },
    ...connectionFlags,
  },
  positionals: [
    { name: 'POD', about: 'a pod, or TYPE/NAME of something that has pods' },
    { name: 'COMMAND', about: 'the command and its arguments, after --' },
  ],
  required: 1,
  run: async ({ flags, positionals }, context) => {
    const [target = '', ...command] = positionals;
    if (command.length === 0) throw new UsageError('COMMAND is required: exec POD -- COMMAND');
    const { runInPod } = await import('../streams/exec.ts');
    await runInPod({ connection: flags, ...flags, target, command }, context);
  },
});
