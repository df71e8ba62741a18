import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { generateFromCrds, resourceVariable } from '@client-ts/codegen';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
  JSONSchemaProps,
} from 'client-ts/api/apiextensions/v1';
import { defineResource, ResourceDefinitionError, type StructuralSchema } from 'client-ts/crd';
import { isJsonObject, type JsonObject, type JsonValue } from 'client-ts/internal';
import { apiVersionOf } from 'client-ts/meta';
import { parseYamlDocuments, writeYaml } from 'client-ts/yaml';

import { CliError } from '../frame/cli-error.ts';
import type { CommandContext } from '../frame/context.ts';
import { printable } from '../frame/printable.ts';
import { UsageError } from '../frame/usage-error.ts';
import { exampleOf } from './example.ts';
import type { Dependencies, Project } from './project.ts';

interface DefinedProjectOptions {
  /** Which of several definitions. */
  readonly kind: string | undefined;
  readonly dependencies: Dependencies;
  readonly context: CommandContext;
}

/** Returns a project for a CRD in a file, and the modules with its types by path. */
export async function definedProject(
  name: string,
  file: string,
  { kind, dependencies, context }: DefinedProjectOptions,
): Promise<{ readonly project: Project; readonly modules: readonly [string, string][] }> {
  const text = await readSource(file, context);
  const onSkip = (note: string): void => context.err(printable(note));
  const generated = generateFromCrds([{ name: file, text }], { onSkip });
  const definition = chooseDefinition(text, kind);
  const { spec } = definition;
  const version = chooseVersion(definition, file);
  const schema = version.schema?.openAPIV3Schema ?? {};
  const project: Project = {
    name,
    group: spec.group,
    version: version.name,
    kind: spec.names.kind,
    plural: spec.names.plural,
    scope: spec.scope === 'Cluster' ? 'Cluster' : 'Namespaced',
    variable: resourceVariable(spec.names.kind, spec.names.plural),
    module: `api/${spec.group}/${version.name}.ts`,
    hasConditions: hasConditions(version),
    hasSpec: schema.properties?.['spec'] !== undefined,
    isDeclared: false,
    definition: writeYaml(definition),
    example: exampleObject(definition, version.name, schema),
    dependencies,
  };
  noteProblems(project, schema, context);
  return {
    project,
    modules: Array.from(generated, ([path, module]) => [`src/api/${path}`, module]),
  };
}

async function readSource(file: string, context: CommandContext): Promise<string> {
  if (file === '-') return await context.readInput();
  try {
    return await readFile(resolve(context.workingDirectory, file), 'utf8');
  } catch (cause) {
    const message = `cannot read ${file}: ${(cause as Error).message}`;
    throw new CliError('CLI_FILE_UNREADABLE', message, { cause });
  }
}

/** Returns the definition of a kind, or the only one, without what a server has added. */
function chooseDefinition(text: string, kind: string | undefined): CustomResourceDefinition {
  const definitions = parseYamlDocuments(text)
    .flatMap((document) => (document.isEmpty ? [] : itemsOf(document.read().value)))
    .filter((object) => object['kind'] === 'CustomResourceDefinition')
    // The generator of the types has checked the form.
    .map((object) => object as unknown as CustomResourceDefinition);
  const kinds = definitions.map(({ spec }) => spec.names.kind);
  const chosen = kind === undefined && kinds.length === 1 ? 0 : kinds.indexOf(kind ?? '');
  const definition = definitions[chosen];
  if (definition === undefined) {
    throw new UsageError(
      kind === undefined
        ? `--crd has several kinds, ${printable(kinds.join(', '))}: choose one with --kind`
        : `--kind ${printable(kind)}: --crd has only ${printable(kinds.join(', '))}`,
    );
  }
  const { metadata, spec } = definition;
  const { name, labels, annotations } = metadata ?? {};
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      ...(name !== undefined && { name }),
      ...(labels !== undefined && { labels }),
      ...(annotations !== undefined && { annotations }),
    },
    spec,
  };
}

/** The objects of a document: its items if it is a list. */
function itemsOf(value: JsonValue): JsonObject[] {
  if (!isJsonObject(value)) return [];
  const { items } = value;
  return Array.isArray(items) ? items.filter(isJsonObject) : [value];
}

function chooseVersion(
  { spec }: CustomResourceDefinition,
  file: string,
): CustomResourceDefinitionVersion {
  const served = spec.versions.filter((version) => version.served);
  const version = served.find(({ storage }) => storage) ?? served[0];
  if (version !== undefined) return version;
  throw new UsageError(`--crd ${printable(file)}: ${spec.names.kind} has no served version`);
}

/** True if there is a list of conditions behind the status subresource. */
function hasConditions({ subresources, schema }: CustomResourceDefinitionVersion): boolean {
  const status = schema?.openAPIV3Schema?.properties?.['status'];
  return subresources?.status !== undefined && status?.properties?.['conditions'] !== undefined;
}

function exampleObject(
  { spec }: CustomResourceDefinition,
  version: string,
  schema: JSONSchemaProps,
): JsonObject {
  const required = schema.required?.filter((name) => name !== 'status') ?? [];
  const names = schema.properties?.['spec'] === undefined ? required : [...required, 'spec'];
  const fields = exampleOf({ ...schema, required: [...new Set(names)] }) as JsonObject;
  return {
    ...fields,
    apiVersion: apiVersionOf({ group: spec.group, version }),
    kind: spec.names.kind,
    metadata: { name: 'example', ...(spec.scope === 'Cluster' ? {} : { namespace: 'default' }) },
  };
}

/** Says which fields of the example a pattern or another rule refuses. */
function noteProblems(project: Project, schema: JSONSchemaProps, context: CommandContext): void {
  const { group, version, kind, plural, example } = project;
  try {
    // The same fields; the API's type allows more than a structural schema.
    const checked = schema as StructuralSchema;
    const resource = defineResource({ group, version, kind, plural, schema: checked });
    for (const { field, message } of resource.validate(example)) {
      context.err(printable(`deploy/example.yaml: ${field} ${message}: complete it for npm test`));
    }
  } catch (error) {
    // The server will say what it does not like about the definition.
    if (!(error instanceof ResourceDefinitionError)) throw error;
  }
}
