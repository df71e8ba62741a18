import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { DiscoveryClient, RESTMapper } from 'client-ts/discovery';
import { DynamicClient, type Unstructured } from 'client-ts/dynamic';
import { isJsonObject } from 'client-ts/internal';
import { type KubernetesObject, parseApiVersion } from 'client-ts/meta';
import { RESTClient } from 'client-ts/rest';
import { conditions, waitFor } from 'client-ts/wait';
import type { Transport } from 'client-ts/transport';
import { parseYamlDocuments, YamlError } from 'client-ts/yaml';

import { CliError } from '../frame/cli-error.ts';
import type { CommandContext } from '../frame/context.ts';
import { printable } from '../frame/printable.ts';
import { qualifiedName } from '../print/object-printer.ts';

/** An object of a file. */
interface Manifest {
  readonly file: string;
  readonly object: Unstructured;
}

/** The field manager of applied objects. */
const fieldManager = 'client-ts';

/**
 * Applies the objects of YAML and JSON files: first CRDs, then namespaces, then the rest in the
 * order of the files. Prints each.
 */
export async function applyManifests(
  files: readonly string[],
  transport: Transport,
  context: CommandContext,
): Promise<void> {
  const manifests = (await Promise.all(files.map((file) => readManifests(file, context)))).flat();
  const client = RESTClient.over(transport);
  const mapper = new RESTMapper(new DiscoveryClient(client));
  const dynamic = new DynamicClient(client);
  const { signal } = context;
  const sorted = manifests.sort((left, right) => stageOf(left.object) - stageOf(right.object));
  for (const { file, object } of sorted) {
    try {
      const { apiVersion = '', kind = '', metadata = {} } = object;
      const resource = await mapper.mapping({ ...parseApiVersion(apiVersion), kind }, { signal });
      const all = dynamic.resource(resource);
      const { namespace = 'default', name = '', managedFields: _, ...rest } = metadata;
      const place = resource.scope === 'Namespaced' ? all.namespace(namespace) : all;
      const options = { fieldManager, force: true, signal };
      await place.apply({ ...object, metadata: { ...rest, name } }, options);
      if (kind === 'CustomResourceDefinition') {
        await waitFor(all, name, conditions.conditionTrue('Established'), { signal });
      }
      context.out(printable(`${qualifiedName(object)} applied`));
    } catch (cause) {
      signal.throwIfAborted();
      const reason = cause instanceof Error ? cause.message : String(cause);
      const what = `${qualifiedName(object)} of ${file}`;
      throw new CliError('CLI_MANIFEST_REFUSED', `cannot apply ${what}: ${reason}`, { cause });
    }
  }
}

async function readManifests(file: string, context: CommandContext): Promise<Manifest[]> {
  let text: string;
  try {
    text =
      file === '-'
        ? await context.readInput()
        : await readFile(resolve(context.workingDirectory, file), 'utf8');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CliError('CLI_FILE_UNREADABLE', `cannot read ${file}: ${reason}`, { cause });
  }
  return parseYamlDocuments(text).flatMap((document, index) => {
    const place = `${file}, document ${index + 1}`;
    try {
      const { value, duplicates } = document.read();
      // kubectl asks servers for strict validation.
      const [duplicate] = duplicates;
      if (duplicate !== undefined) throw new YamlError(`yaml: ${duplicate}`);
      return value === null ? [] : objectsOf(value).map((object) => ({ file: place, object }));
    } catch (cause) {
      if (!(cause instanceof YamlError)) throw cause;
      const message = `${place} is not YAML: ${cause.message}`;
      throw new CliError('CLI_MANIFEST_INVALID', message, { cause });
    }
  });
}

/** A document is an object or a list. */
function objectsOf(value: unknown): Unstructured[] {
  if (!isJsonObject(value)) return [{}];
  const { kind, items } = value;
  if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items)) {
    return items.flatMap(objectsOf);
  }
  return [value];
}

function stageOf({ kind }: KubernetesObject): number {
  const index = ['CustomResourceDefinition', 'Namespace'].indexOf(kind ?? '');
  return index === -1 ? 2 : index;
}
