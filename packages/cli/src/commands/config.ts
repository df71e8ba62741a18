import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags, namespaceFlags } from '../frame/connection-flags.ts';
import { UsageError } from '../frame/usage-error.ts';

const subcommands = [
  'current-context',
  'delete-context',
  'get-clusters',
  'get-contexts',
  'get-users',
  'rename-context',
  'set-context',
  'use-context',
  'view',
];

/** `client-ts config`: show and change the kubeconfig. */
export const config: Command = defineCommand({
  name: 'config',
  summary: 'show and change contexts of the kubeconfig',
  usage: [
    'get-contexts [NAME…]',
    'current-context',
    'use-context NAME',
    'set-context (NAME | --current)',
    'rename-context NAME NEW_NAME',
    'delete-context NAME',
    'get-clusters',
    'get-users',
    'view',
  ],
  about: [
    'Shows and changes the kubeconfig as kubectl config does. With several files in KUBECONFIG, an entry is changed in the file that it is in, and added to the first file that exists. Comments are preserved.',
    'view hides credentials, unless --raw or --flatten is set.',
  ],
  examples: [
    { about: 'the contexts', line: 'client-ts config get-contexts' },
    { about: 'use another one', line: 'client-ts config use-context staging' },
    {
      about: 'set the namespace of the current one',
      line: 'client-ts config set-context --current --namespace shop',
    },
    {
      about: 'a kubeconfig of one context, without references to files',
      line: 'client-ts config view --minify --flatten --context staging',
    },
  ],
  flags: {
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      about: 'view: yaml (default), json, jsonpath=…; get-contexts: name',
      complete: ['yaml', 'json', 'name', 'jsonpath='],
    },
    'no-headers': { type: 'boolean', about: 'get-contexts: omit the column headings' },
    current: { type: 'boolean', about: 'set-context: the current context' },
    cluster: { type: 'string', value: 'NAME', about: 'set-context: its cluster' },
    user: { type: 'string', value: 'NAME', about: 'set-context: its user' },
    namespace: { ...namespaceFlags.namespace, about: 'set-context: its namespace' },
    raw: { type: 'boolean', about: 'view: with credentials' },
    minify: { type: 'boolean', about: 'view: only what the current context needs' },
    flatten: {
      type: 'boolean',
      about: 'view: with the content of referenced files, and credentials',
    },
    kubeconfig: connectionFlags.kubeconfig,
    context: connectionFlags.context,
  },
  positionals: [
    { name: 'SUBCOMMAND', about: subcommands.join(', '), complete: subcommands },
    { name: 'NAME', about: 'a context', complete: 'context' },
  ],
  required: 1,
  run: async ({ flags, positionals: [subcommand = '', ...names], given }, context) => {
    const { editors } = await import('../config/edit-config.ts');
    const { printers } = await import('../config/print-config.ts');
    const name = subcommand === 'use' ? 'use-context' : subcommand;
    const action = editors.get(name) ?? printers.get(name);
    if (action === undefined) {
      throw new UsageError(
        `SUBCOMMAND must be one of ${subcommands.join(', ')}, not ${subcommand}`,
      );
    }
    const [least, most] = action.names;
    if (names.length < least) {
      const missing = names.length === 0 ? 'NAME' : 'NEW_NAME';
      throw new UsageError(`${missing} is required by config ${subcommand}`);
    }
    if (names.length > most) throw new UsageError(`unexpected argument ${names[most]}`);
    for (const flag of given) {
      if (![...action.flags, 'kubeconfig', 'debug'].includes(flag)) {
        throw new UsageError(`--${flag} is not a flag of config ${subcommand}`);
      }
    }
    await action.run({ names, flags }, context);
  },
});
