import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { DiscoveryClient, RESTMapper } from 'client-ts/discovery';
import { DynamicClient, type Unstructured } from 'client-ts/dynamic';
import { ClientError, isJsonObject } from 'client-ts/lib';
import { type KubernetesObject, parseApiVersion } from 'client-ts/meta';
import { conditionTrue, RESTClient, waitFor } from 'client-ts/rest';
import type { Transport } from 'client-ts/transport';
import { parseAllDocuments } from 'yaml';

import type { CommandContext } from '../frame/context.ts';
import { qualifiedName } from '../print/object-printer.ts';

/** An object out of a file. */
interface Manifest {
  readonly file: string;
  readonly object: Unstructured;
}

/** Who owns the fields of objects that came from files. */
const fieldManager = 'client-ts';

/**
 * Applies the objects of YAML and JSON files: those that others need first (definitions, then
 * namespaces), the rest in the order of the files. Prints what was applied.
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
        await waitFor(all, name, conditionTrue('Established'), { signal });
      }
      context.out(`${qualifiedName(object)} applied`);
    } catch (cause) {
      signal.throwIfAborted();
      const reason = cause instanceof Error ? cause.message : String(cause);
      const what = `${qualifiedName(object)} of ${file}`;
      throw new ClientError('MANIFEST_REFUSED', `cannot apply ${what}: ${reason}`, { cause });
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
    throw new ClientError('FILE_UNREADABLE', `cannot read ${file}: ${reason}`, { cause });
  }
  return [parseAllDocuments(text, { merge: true })].flat().flatMap((document, index) => {
    const [error] = document.errors;
    const place = `${file}, document ${index + 1}`;
    if (error !== undefined) {
      throw new ClientError('MANIFEST_INVALID', `${place} is not YAML: ${error.message}`);
    }
    const value: unknown = document.toJS();
    return value === null ? [] : objectsOf(value).map((object) => ({ file: place, object }));
  });
}

/** A document is an object, or a list of them. */
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
