import { resourceVariable } from '@client-ts/codegen';
import {
  conditionsSchema,
  type DefinedResource,
  defineResource,
  ResourceDefinitionError,
} from 'client-ts/crd';
import { apiVersionOf } from 'client-ts/meta';
import { writeYaml } from 'client-ts/yaml';

import { printable } from '../frame/printable.ts';
import { UsageError } from '../frame/usage-error.ts';
import { type Dependencies, kebabCase, kindOf, type Project } from './project.ts';

interface Names {
  readonly group?: string | undefined;
  readonly version?: string | undefined;
  readonly kind?: string | undefined;
}

/** Returns a project whose resource is declared in TypeScript. */
export function declaredProject(
  name: string,
  { group = 'example.com', version = 'v1', kind = kindOf(name) }: Names,
  dependencies: Dependencies,
): Project {
  if (!/^[A-Z][A-Za-z0-9]*$/.test(kind)) {
    throw new UsageError(`--kind ${printable(kind)}: must be letters and digits, first a capital`);
  }
  const resource = declare({ group, version, kind });
  return {
    name,
    group,
    version,
    kind,
    plural: resource.resource,
    scope: 'Namespaced',
    variable: resourceVariable(kind, resource.resource),
    module: `${kebabCase(kind)}.ts`,
    hasConditions: true,
    hasSpec: true,
    isDeclared: true,
    definition: writeYaml(resource.definition),
    example: {
      apiVersion: apiVersionOf(resource),
      kind,
      metadata: { name: 'example', namespace: 'default' },
      spec: { content: 'Hello' },
    },
    dependencies,
  };
}

/** The same declaration as in the project, whose tests compare the two. */
function declare(names: {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}): DefinedResource {
  try {
    return defineResource({
      ...names,
      subresources: { status: {} },
      additionalPrinterColumns: [
        {
          name: 'Ready',
          type: 'string',
          jsonPath: '.status.conditions[?(@.type=="Ready")].status',
        },
      ],
      schema: {
        type: 'object',
        required: ['spec'],
        properties: {
          spec: {
            type: 'object',
            required: ['content'],
            properties: {
              content: { type: 'string', minLength: 1, description: 'Text of the page.' },
            },
          },
          status: {
            type: 'object',
            properties: {
              observedGeneration: { type: 'integer', format: 'int64' },
              conditions: conditionsSchema,
            },
          },
        },
      },
    });
  } catch (error) {
    if (!(error instanceof ResourceDefinitionError)) throw error;
    const words = error.problems.map(({ field, message }) => `--${field}: ${message}`);
    throw new UsageError(words.join('; '), { cause: error });
  }
}
