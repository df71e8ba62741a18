import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags, namespaceFlags, selectorFlags } from '../frame/connection-flags.ts';
import { fileFlags } from '../frame/file-flags.ts';
import { UsageError } from '../frame/usage-error.ts';

/** `client-ts describe`: objects in detail. */
export const describe: Command = defineCommand({
  name: 'describe',
  summary: 'print objects in detail, with events',
  usage: ['TYPE [NAME_PREFIX…]', 'TYPE/NAME…', 'TYPE -l SELECTOR', '-f FILE…'],
  about: [
    'Prints objects as kubectl describes them: the everyday kinds with what belongs to them, all others, custom resources included, field by field. A name that does not exist selects all objects whose names begin with it.',
    'Events are printed for a single object. The values of secrets are never printed.',
  ],
  examples: [
    { about: 'a pod', line: 'client-ts describe pod web-0' },
    { about: 'all pods of a deployment', line: 'client-ts describe pods -l app=web' },
    { about: 'a node and what runs on it', line: 'client-ts describe node/node-1' },
    { about: 'the objects of a file', line: 'client-ts describe -f web.yaml --show-events' },
  ],
  flags: {
    ...fileFlags,
    ...namespaceFlags,
    selector: selectorFlags.selector,
    'show-events': {
      type: 'boolean',
      optional: true,
      about: 'print events (default: only for a single object)',
    },
    'chunk-size': {
      type: 'integer',
      value: 'N',
      default: 500,
      about: 'page size; 0 disables paging',
    },
    ...connectionFlags,
  },
  positionals: [
    { name: 'TYPE', about: 'resource types, separated by commas; or TYPE/NAME', complete: 'kind' },
    { name: 'NAME', about: 'names of objects, or their beginnings', complete: 'none' },
  ],
  run: async ({ flags, positionals }, context) => {
    const { filename: files, recursive, selector: labelSelector } = flags;
    if ((files.length === 0) === (positionals.length === 0)) {
      throw new UsageError('name files with -f, or a type');
    }
    const { parseTargets } = await import('../resources/targets.ts');
    const targets = files.length > 0 ? [] : parseTargets(positionals);
    const isNamed = targets.some(({ names }) => names !== undefined);
    if (isNamed && labelSelector !== undefined) {
      throw new UsageError('names and selectors cannot be combined');
    }
    if (isNamed && flags['all-namespaces']) {
      throw new UsageError('objects cannot be selected by name with -A');
    }
    const { describe } = await import('../describe/describe.ts');
    return await describe(
      {
        connection: flags,
        namespace: flags.namespace,
        allNamespaces: flags['all-namespaces'],
        targets,
        files,
        recursive,
        labelSelector,
        isPrefix: positionals.length === 2 && isNamed,
        showEvents: flags['show-events'],
        chunkSize: flags['chunk-size'],
      },
      context,
    );
  },
});
