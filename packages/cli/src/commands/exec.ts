import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags, namespaceFlags } from '../frame/connection-flags.ts';
import type { BooleanFlag, DurationFlag, StringFlag } from '../frame/flags.ts';
import { podTimeoutFlag } from '../frame/stream-flags.ts';
import { UsageError } from '../frame/usage-error.ts';

/** The flags of `exec` and `attach`. */
interface TerminalFlags {
  readonly namespace: StringFlag;
  readonly container: StringFlag;
  readonly stdin: BooleanFlag;
  readonly tty: BooleanFlag;
  readonly quiet: BooleanFlag;
  readonly 'pod-running-timeout': DurationFlag & { readonly default: number };
}

const terminalFlags: TerminalFlags = {
  namespace: namespaceFlags.namespace,
  container: { type: 'string', value: 'NAME', short: 'c', about: 'container' },
  stdin: { type: 'boolean', short: 'i', about: 'pass standard input on' },
  tty: { type: 'boolean', short: 't', about: 'standard input is a terminal' },
  quiet: { type: 'boolean', short: 'q', about: 'print only what the container prints' },
  'pod-running-timeout': podTimeoutFlag(60_000),
};

const podPositional = { name: 'POD', about: 'a pod, or TYPE/NAME of something that has pods' };

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
  flags: { ...terminalFlags, ...connectionFlags },
  positionals: [
    podPositional,
    { name: 'COMMAND', about: 'the command and its arguments, after --' },
  ],
  required: 1,
  run: async ({ flags, positionals }, context) => {
    const [target = '', ...command] = positionals;
    if (command.length === 0) throw new UsageError('COMMAND is required: exec POD -- COMMAND');
    const { runInPod } = await import('../streams/exec.ts');
    const podTimeoutMs = flags['pod-running-timeout'];
    await runInPod({ connection: flags, ...flags, target, command, podTimeoutMs }, context);
  },
});

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
  flags: { ...terminalFlags, ...connectionFlags },
  positionals: [podPositional],
  required: 1,
  most: 1,
  run: async ({ flags, positionals: [target = ''] }, context) => {
    const { runInPod } = await import('../streams/exec.ts');
    const podTimeoutMs = flags['pod-running-timeout'];
    const command = undefined;
    await runInPod({ connection: flags, ...flags, target, command, podTimeoutMs }, context);
  },
});
