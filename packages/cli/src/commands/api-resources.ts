import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags } from '../frame/connection-flags.ts';

/** `client-ts api-resources`: what the server serves. */
export const apiResources: Command = defineCommand({
  name: 'api-resources',
  summary: 'print the resources that the server serves',
  usage: [''],
  about: [
    'Prints every resource in the version that the server prefers, with its short names and its kind. What the server says is kept for a while, in the same place as kubectl keeps it.',
  ],
  examples: [
    { about: 'everything', line: 'client-ts api-resources' },
    { about: 'with verbs and categories', line: 'client-ts api-resources -o wide' },
    {
      about: 'what can be listed and lies in namespaces, by name',
      line: 'client-ts api-resources --verbs list --namespaced -o name',
    },
    { about: 'the core group alone', line: "client-ts api-resources --api-group ''" },
    { about: 'as it is right now', line: 'client-ts api-resources --cached=false' },
  ],
  flags: {
    output: {
      type: 'choice',
      short: 'o',
      value: 'FORMAT',
      choices: ['wide', 'name', 'json', 'yaml'],
      about: 'how to print',
      complete: ['wide', 'name', 'json', 'yaml'],
    },
    'api-group': { type: 'string', value: 'GROUP', about: 'only this group' },
    namespaced: {
      type: 'boolean',
      optional: true,
      about: 'only what lies in namespaces; with =false only what does not',
    },
    verbs: {
      type: 'list',
      commas: true,
      value: 'VERBS',
      about: 'only what can do all of this',
      complete: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    },
    categories: {
      type: 'list',
      commas: true,
      value: 'NAMES',
      about: 'only what is in all of these categories',
    },
    'sort-by': {
      type: 'choice',
      value: 'COLUMN',
      choices: ['name', 'kind'],
      about: 'sort by this, instead of by group',
      complete: ['name', 'kind'],
    },
    'no-headers': { type: 'boolean', about: 'without the line of headings' },
    cached: {
      type: 'boolean',
      default: true,
      about: 'take what is known from before; with =false the server is asked',
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
