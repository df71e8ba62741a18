import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags } from '../frame/connection-flags.ts';

/** `client-ts explain`: the documentation of types and fields. */
export const explain: Command = defineCommand({
  name: 'explain',
  summary: 'print the documentation of a type or a field',
  usage: ['TYPE[.FIELD…]'],
  about: [
    'Prints what a type or a field is for, and its fields, from the OpenAPI v3 documents of the server. Custom resources are included.',
  ],
  examples: [
    { about: 'a type', line: 'client-ts explain pods' },
    { about: 'a field', line: 'client-ts explain deploy.spec.strategy' },
    { about: 'all fields below a field', line: 'client-ts explain pods.spec --recursive' },
    {
      about: 'another version',
      line: 'client-ts explain hpa --api-version autoscaling/v2',
    },
  ],
  flags: {
    recursive: { type: 'boolean', short: 'R', about: 'print the fields of fields, without texts' },
    'api-version': {
      type: 'string',
      value: 'GROUP/VERSION',
      about: 'group and version (default: those that the server prefers)',
    },
    output: {
      type: 'choice',
      short: 'o',
      value: 'FORMAT',
      choices: ['plaintext'],
      default: 'plaintext',
      about: 'output format: plaintext',
      complete: ['plaintext'],
    },
    ...connectionFlags,
  },
  positionals: [
    { name: 'TYPE', about: 'resource type, with the path to a field', complete: 'kind' },
  ],
  required: 1,
  most: 1,
  run: async ({ flags, positionals: [wanted = ''] }, context) => {
    const { explain } = await import('../explain/explain.ts');
    const { recursive, 'api-version': apiVersion } = flags;
    return await explain({ connection: flags, wanted, apiVersion, recursive }, context);
  },
});
