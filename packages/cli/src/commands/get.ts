import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags, namespaceFlags, selectorFlags } from '../frame/connection-flags.ts';
import { labelColumnFlags } from '../frame/print-flags.ts';
import { UsageError } from '../frame/usage-error.ts';

/** `client-ts get`: print objects. */
export const get: Command = defineCommand({
  name: 'get',
  summary: 'print objects as tables, JSON, YAML, names or with a template',
  usage: ['TYPE[,TYPE…] [NAME…]', 'TYPE/NAME…', '--raw PATH'],
  about: [
    'Prints one or many objects. A type is a resource (pods), a short name (po), a kind (Pod), any of them with a group or a version and a group (deployments.apps, deployments.v1.apps), or a category (all).',
    'Tables come from the server and have the columns of kubectl. Long lists are read in chunks.',
  ],
  examples: [
    { about: 'all pods of the namespace', line: 'client-ts get pods' },
    { about: 'all namespaces, with nodes and addresses', line: 'client-ts get pods -A -o wide' },
    { about: 'several types', line: 'client-ts get deployments,svc -l app=web' },
    { about: 'one object', line: 'client-ts get deployment/web -o yaml' },
    {
      about: 'with a template',
      line: 'client-ts get pods -o jsonpath=\'{range .items[*]}{.metadata.name}{"\\t"}{.spec.nodeName}{"\\n"}{end}\'',
    },
    {
      about: 'sorted by restarts',
      line: "client-ts get pods --sort-by '.status.containerStatuses[0].restartCount'",
    },
    { about: 'what the server answers to a path', line: 'client-ts get --raw /readyz?verbose' },
    {
      about: 'custom columns',
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
      about: 'sort by this JSONPath: .metadata.creationTimestamp',
    },
    'no-headers': { type: 'boolean', about: 'omit the column headings' },
    limit: { type: 'integer', value: 'N', about: 'maximum number of objects per type' },
    'chunk-size': {
      type: 'integer',
      value: 'N',
      default: 500,
      about: 'page size; 0 disables paging',
    },
    'ignore-not-found': { type: 'boolean', about: 'missing objects are not an error' },
    'show-managed-fields': {
      type: 'boolean',
      about: 'with json and yaml: include managedFields',
    },
    'show-kind': { type: 'boolean', about: 'begin each name with its type' },
    subresource: {
      type: 'string',
      value: 'NAME',
      about: 'of named objects, a subresource: status, scale',
      complete: ['resize', 'scale', 'status'],
    },
    watch: { type: 'boolean', short: 'w', about: 'then print changes, until Ctrl-C' },
    'watch-only': { type: 'boolean', about: 'print only changes, until Ctrl-C' },
    raw: {
      type: 'string',
      value: 'PATH',
      about: 'print what the server answers to a GET of this path, as it arrives',
    },
    'output-watch-events': {
      type: 'boolean',
      about: 'with --watch: print the type of each change',
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
  run: async ({ flags, positionals }, context) => {
    if (flags.raw !== undefined) {
      if (positionals.length > 0)
        throw new UsageError('--raw cannot be combined with TYPE or NAME');
      const { getRaw } = await import('../get/raw.ts');
      return await getRaw({ connection: flags, path: flags.raw }, context);
    }
    if (positionals.length === 0) throw new UsageError('TYPE is required');
    const { parseOutputFormat, relaxedPath } = await import('../print/output-format.ts');
    const { parseTargets } = await import('../resources/targets.ts');
    const format = parseOutputFormat(flags.output);
    if (flags['show-labels'] && format.type !== 'table') {
      throw new UsageError(`--show-labels requires a table, not -o ${format.type}`);
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
      showKind: flags['show-kind'],
      showManagedFields: flags['show-managed-fields'],
    };
    if (flags.watch || flags['watch-only']) {
      const misplaced = (['sort-by', 'limit', 'subresource'] as const).find(
        (name) => flags[name] !== undefined,
      );
      if (misplaced !== undefined)
        throw new UsageError(`--${misplaced} cannot be combined with --watch`);
      const { watch } = await import('../watch/watch.ts');
      const showEvents = flags['output-watch-events'];
      return await watch({ ...wanted, showEvents, initial: !flags['watch-only'] }, context);
    }
    const { get } = await import('../get/get.ts');
    return await get(
      {
        ...wanted,
        sortBy: flags['sort-by'] === undefined ? undefined : relaxedPath(flags['sort-by']),
        chunkSize: flags['chunk-size'],
        limit: flags.limit,
        ignoreNotFound: flags['ignore-not-found'],
        subresource: flags.subresource,
      },
      context,
    );
  },
});
