import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags, namespaceFlags, selectorFlags } from '../frame/connection-flags.ts';
import { labelColumnFlags } from '../frame/print-flags.ts';
import { UsageError } from '../frame/usage-error.ts';

/** `client-ts get`: print objects. */
export const get: Command = defineCommand({
  name: 'get',
  summary: 'print objects of any kind, as tables, JSON, YAML, names or by a template',
  usage: ['TYPE[,TYPE…] [NAME…]', 'TYPE/NAME…'],
  about: [
    'Prints one or many objects. A type is a resource (pods), a short name (po), a kind (Pod), any of them with a group or a version and a group (deployments.apps, deployments.v1.apps), or a category (all).',
    'Tables come from the server, so they have the columns that kubectl shows. Long lists are read in chunks.',
  ],
  examples: [
    { about: 'all pods of the namespace', line: 'client-ts get pods' },
    { about: 'with nodes and addresses, of all namespaces', line: 'client-ts get pods -A -o wide' },
    { about: 'several kinds', line: 'client-ts get deployments,svc -l app=web' },
    { about: 'one object', line: 'client-ts get deployment/web -o yaml' },
    {
      about: 'by a template',
      line: 'client-ts get pods -o jsonpath=\'{range .items[*]}{.metadata.name}{"\\t"}{.spec.nodeName}{"\\n"}{end}\'',
    },
    {
      about: 'the most often restarted last',
      line: "client-ts get pods --sort-by '.status.containerStatuses[0].restartCount'",
    },
    {
      about: 'columns of your own',
      line: "client-ts get nodes -o custom-columns='NAME:.metadata.name,CPU:.status.capacity.cpu'",
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
        'table (default), wide, json, yaml, name, jsonpath=TEMPLATE, jsonpath-as-json=TEMPLATE or custom-columns=HEADING:.path,…',
      complete: [
        'table',
        'wide',
        'json',
        'yaml',
        'name',
        'jsonpath=',
        'jsonpath-as-json=',
        'custom-columns=',
      ],
    },
    ...labelColumnFlags,
    'sort-by': {
      type: 'string',
      value: 'PATH',
      about: 'sort by what this JSONPath finds in each object: .metadata.creationTimestamp',
    },
    'no-headers': { type: 'boolean', about: 'without the line of headings' },
    limit: { type: 'integer', value: 'N', about: 'not more than so many of each kind' },
    'chunk-size': {
      type: 'integer',
      value: 'N',
      default: 500,
      about: 'how many to read at a time; 0 reads everything at once',
    },
    'ignore-not-found': { type: 'boolean', about: 'say nothing of objects that are not there' },
    'show-managed-fields': {
      type: 'boolean',
      about: 'with json and yaml: show who wrote which field',
    },
    watch: { type: 'boolean', short: 'w', about: 'go on and print what changes, until Ctrl-C' },
    'output-watch-events': {
      type: 'boolean',
      about: 'with --watch: say what happened to each object',
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
    const { parseOutputFormat, relaxedPath } = await import('../print/output-format.ts');
    const { parseTargets } = await import('../resources/targets.ts');
    const format = parseOutputFormat(flags.output);
    if (flags['show-labels'] && format.type !== 'table') {
      throw new UsageError(`--show-labels goes with tables, not with -o ${format.type}`);
    }
    const wanted = {
      connection: flags,
      targets: parseTargets(positionals),
      namespace: flags.namespace,
      allNamespaces: flags['all-namespaces'],
      labelSelector: flags.selector,
      fieldSelector: flags['field-selector'],
      format,
      headers: !flags['no-headers'],
      showLabels: flags['show-labels'],
      labelColumns: flags['label-columns'],
      showManagedFields: flags['show-managed-fields'],
    };
    if (flags.watch) {
      const misplaced = (['sort-by', 'limit'] as const).find((name) => flags[name] !== undefined);
      if (misplaced !== undefined) throw new UsageError(`--${misplaced} does not go with --watch`);
      const { watch } = await import('../watch/watch.ts');
      const showEvents = flags['output-watch-events'];
      return await watch({ ...wanted, showEvents, initial: true }, context);
    }
    const { get } = await import('../get/get.ts');
    return await get(
      {
        ...wanted,
        sortBy: flags['sort-by'] === undefined ? undefined : relaxedPath(flags['sort-by']),
        chunkSize: flags['chunk-size'],
        limit: flags.limit,
        ignoreNotFound: flags['ignore-not-found'],
      },
      context,
    );
  },
});
