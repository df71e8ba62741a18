import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags, namespaceFlags, selectorFlags } from '../frame/connection-flags.ts';
import { fileFlags } from '../frame/file-flags.ts';
import { UsageError } from '../frame/usage-error.ts';

/** `client-ts wait`: wait for conditions. */
export const wait: Command = defineCommand({
  name: 'wait',
  summary: 'wait until objects meet a condition',
  usage: [
    '--for CONDITION TYPE/NAME…',
    '--for CONDITION TYPE -l SELECTOR',
    '--for CONDITION -f FILE…',
  ],
  about: ['Waits until each object meets the condition. Exit code 1 after the timeout.'],
  examples: [
    { about: 'a pod that is ready', line: 'client-ts wait --for condition=Ready pod/web-0' },
    {
      about: 'a field',
      line: "client-ts wait --for jsonpath='{.status.phase}'=Running pod/web-0",
    },
    { about: 'deletion', line: 'client-ts wait --for delete pod/web-0 --timeout 1m' },
  ],
  flags: {
    for: {
      type: 'string',
      value: 'CONDITION',
      about: 'condition=TYPE[=STATUS], jsonpath={PATH}[=VALUE], create or delete',
      complete: ['condition=', 'jsonpath=', 'create', 'delete'],
    },
    timeout: { type: 'duration', default: 30_000, about: 'how long to wait for each object' },
    ...fileFlags,
    ...namespaceFlags,
    ...selectorFlags,
    all: { type: 'boolean', about: 'all objects of the type in the namespace' },
    ...connectionFlags,
  },
  positionals: [
    { name: 'TYPE', about: 'resource type; or TYPE/NAME', complete: 'kind' },
    { name: 'NAME', about: 'names of objects', complete: 'none' },
  ],
  run: async ({ flags, positionals }, context) => {
    if (flags.for === undefined) throw new UsageError('--for is required');
    const { parseSelection } = await import('../resources/select.ts');
    const { waitAll } = await import('../operations/wait.ts');
    return await waitAll(
      {
        ...parseSelection(positionals, flags),
        connection: flags,
        namespace: flags.namespace,
        condition: flags.for,
        timeoutMs: flags.timeout,
      },
      context,
    );
  },
});
