import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags } from '../frame/connection-flags.ts';

/** `client-ts api-resources`: what the server serves. */
export const apiResources: Command = defineCommand({
  name: 'api-resources',
  summary: 'print the API resources of the server',
  usage: [''],
  about: [
    'Prints every resource in its preferred version, with short names and kind. Discovery is cached where kubectl caches it.',
  ],
  examples: [
    { about: 'all resources', line: 'client-ts api-resources' },
    { about: 'with verbs and categories', line: 'client-ts api-resources -o wide' },
    {
      about: 'namespaced resources that can be listed, as names',
      line: 'client-ts api-resources --verbs list --namespaced -o name',
    },
    { about: 'only the core group', line: "client-ts api-resources --api-group ''" },
    { about: 'without the cache', line: 'client-ts api-resources --cached=false' },
  ],
  flags: {
    output: {
      type: 'choice',
      short: 'o',
      value: 'FORMAT',
      choices: ['wide', 'name', 'json', 'yaml'],
      about: 'output format',
      complete: ['wide', 'name', 'json', 'yaml'],
    },
    'api-group': { type: 'string', value: 'GROUP', about: 'only this group' },
    namespaced: {
      type: 'boolean',
      optional: true,
      about: 'only namespaced resources; with =false only cluster-scoped ones',
    },
    verbs: {
      type: 'list',
      commas: true,
      value: 'VERBS',
      about: 'only resources that support all of these verbs',
      complete: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    },
    categories: {
      type: 'list',
      commas: true,
      value: 'NAMES',
      about: 'only resources in all of these categories',
    },
    'sort-by': {
      type: 'choice',
      value: 'COLUMN',
      choices: ['name', 'kind'],
      about: 'sort by this (default: group)',
      complete: ['name', 'kind'],
    },
    'no-headers': { type: 'boolean', about: 'omit the column headings' },
    cached: {
      type: 'boolean',
      default: true,
      about: 'use cached discovery; with =false query the server',
    },
    ...connectionFlags,
  },
  run: async ({ flags }, context) => {
    const { printApiResources } = await import('../discovery/api-resources.ts');
    await printApiResources(
      {
        connection: flags,
        cached: flags.cached,
        output: flags.output,
        group: flags['api-group'],
        namespaced: flags.namespaced,
        verbs: flags.verbs,
        categories: flags.categories,
        sortBy: flags['sort-by'],
        headers: !flags['no-headers'],
      },
      context,
    );
  },
});
