import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags, namespaceFlags, selectorFlags } from '../frame/connection-flags.ts';
import { labelColumnFlags } from '../frame/print-flags.ts';

/** `client-ts watch`: print what changes. */
export const watch: Command = defineCommand({
  name: 'watch',
  summary: 'print objects and every change to them, through lost connections',
  usage: ['TYPE[,TYPE…] [NAME…]', 'TYPE/NAME…'],
  about: [
    'Prints what is there, then a line for every object that appears, changes or goes, until Ctrl-C. Connections that break, servers that restart and versions that the server has forgotten are got over: what happened meanwhile is printed when it is back.',
    'With -o json every line is one event: {"type":"MODIFIED","object":{…}}.',
  ],
  examples: [
    { about: 'the pods of the namespace', line: 'client-ts watch pods' },
    { about: 'several kinds, everywhere', line: 'client-ts watch deployments,pods -A' },
    { about: 'one object', line: 'client-ts watch pod/web-0 -o wide' },
    {
      about: 'events for another program',
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
    'watch-only': { type: 'boolean', about: 'without what is there when it begins' },
    events: {
      type: 'boolean',
      default: true,
      about: 'say what happened to each object: ADDED, MODIFIED or DELETED',
    },
    ...labelColumnFlags,
    'no-headers': { type: 'boolean', about: 'without the lines of headings' },
    'show-managed-fields': {
      type: 'boolean',
      about: 'with json and yaml: show who wrote which field',
    },
    ...connectionFlags,
  },
  positionals: [
    {
      name: 'TYPE',
      about: 'kinds of objects, with commas between; or TYPE/NAME',
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
