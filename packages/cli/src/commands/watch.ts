import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags, namespaceFlags, selectorFlags } from '../frame/connection-flags.ts';
import { labelColumnFlags } from '../frame/print-flags.ts';

/** `client-ts watch`: print changes. */
export const watch: Command = defineCommand({
  name: 'watch',
  summary: 'print objects and their changes, across reconnects',
  usage: ['TYPE[,TYPE…] [NAME…]', 'TYPE/NAME…'],
  about: [
    'Prints the existing objects, then a line for every object that is added, modified or deleted, until Ctrl-C. Survives lost connections, server restarts and expired resource versions: changes in between are printed after reconnecting.',
    'With -o json every line is one event: {"type":"MODIFIED","object":{…}}.',
  ],
  examples: [
    { about: 'the pods of the namespace', line: 'client-ts watch pods' },
    { about: 'several types, in all namespaces', line: 'client-ts watch deployments,pods -A' },
    { about: 'one object', line: 'client-ts watch pod/web-0 -o wide' },
    {
      about: 'JSON lines for other programs',
      line: 'client-ts watch events -A --watch-only -o json | jq .object.message',
    },
  ],
  flags: {
    ...namespaceFlags,
    ...selectorFlags,
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      about:
        'table (default), wide, json (one line each), yaml, name, jsonpath=TEMPLATE or custom-columns=HEADING:.path,…',
      complete: ['table', 'wide', 'json', 'yaml', 'name', 'jsonpath=', 'custom-columns='],
    },
    'watch-only': { type: 'boolean', about: 'omit the existing objects' },
    events: {
      type: 'boolean',
      default: true,
      about: 'print the type of each change: ADDED, MODIFIED or DELETED',
    },
    ...labelColumnFlags,
    'no-headers': { type: 'boolean', about: 'omit the column headings' },
    'show-managed-fields': {
      type: 'boolean',
      about: 'with json and yaml: include managedFields',
    },
    ...connectionFlags,
  },
  positionals: [
    {
      name: 'TYPE',
      about: 'resource types, comma-separated; or TYPE/NAME',
      complete: 'kind',
    },
    { name: 'NAME', about: 'names of objects', complete: 'none' },
  ],
  required: 1,
  run: async ({ flags, positionals }, context) => {
    const { parseOutputFormat } = await import('../print/output-format.ts');
    const { parseTargets } = await import('../resources/targets.ts');
    const { watch } = await import('../watch/watch.ts');
    await watch(
      {
        connection: flags,
        targets: parseTargets(positionals),
        namespace: flags.namespace,
        allNamespaces: flags['all-namespaces'],
        labelSelector: flags.selector,
        fieldSelector: flags['field-selector'],
        format: parseOutputFormat(flags.output),
        headers: !flags['no-headers'],
        showLabels: flags['show-labels'],
        labelColumns: flags['label-columns'],
        showManagedFields: flags['show-managed-fields'],
        showEvents: flags.events,
        initial: !flags['watch-only'],
      },
      context,
    );
  },
});
