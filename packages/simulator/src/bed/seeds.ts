import { fileURLToPath } from 'node:url';

import type { DefinedResource } from 'client-ts/crd';
import type { Clientset } from 'client-ts/kubernetes';
import { applyObjects, type Manifest, readManifestFiles } from 'client-ts/manifests';
import type { DeepReadonly, KubernetesObject } from 'client-ts/meta';

import { SimulatorError } from '../simulator-error.ts';
import { findFiles, isPattern } from './find-files.ts';

/**
 * Objects to create: a file, a folder or a pattern with `*` and `**` (relative paths to the working
 * directory), an object with `apiVersion` and `kind`, or a declared resource, which stands for its
 * CRD.
 */
export type Seed =
  | DeepReadonly<KubernetesObject>
  | DefinedResource
  | Readonly<Record<string, unknown>>
  | URL
  | string;

const manager = 'test-bed';

/** Returns the objects of seeds. `option` names the option in errors. */
export async function readSeeds(option: string, seeds: readonly Seed[]): Promise<Manifest[]> {
  const manifests: Manifest[] = [];
  for (const seed of seeds) {
    if (typeof seed === 'string' || seed instanceof URL) {
      manifests.push(...(await readManifestFiles(await pathsOf(option, seed))));
    } else {
      manifests.push(
        manifestOf(option, (isDeclared(seed) ? seed.definition : seed) as KubernetesObject),
      );
    }
  }
  return manifests;
}

/** Applies objects, CRDs first, and waits until these are served. A `status` is written as well. */
export async function plant(client: Clientset, manifests: readonly Manifest[]): Promise<void> {
  await applyObjects(client, manifests, { fieldManager: manager, force: true });
  for (const object of manifests) {
    const { status } = object;
    // The server itself writes that of definitions.
    if (status === undefined || object.kind === 'CustomResourceDefinition') continue;
    const resource = await client.for(object);
    const options = { type: 'merge', subresource: 'status', fieldManager: manager } as const;
    await resource.patch(object.metadata.name, { status }, options);
  }
}

async function pathsOf(option: string, seed: URL | string): Promise<string[]> {
  const path = typeof seed === 'string' ? seed : fileURLToPath(seed);
  if (!isPattern(path)) return [path];
  const found = await findFiles(path);
  if (found.length > 0) return found;
  const message = `${option}: no file matches "${path}" in ${process.cwd()}`;
  throw new SimulatorError('SIMULATOR_SEED_INVALID', message);
}

function isDeclared(seed: object): seed is DefinedResource {
  return 'definition' in seed && 'validate' in seed;
}

function manifestOf(option: string, object: KubernetesObject): Manifest {
  const { apiVersion, kind, metadata } = object;
  if (apiVersion === undefined || kind === undefined || metadata?.name === undefined) {
    const message = `${option}: an object has no apiVersion, kind or metadata.name: ${JSON.stringify(object).slice(0, 100)}`;
    throw new SimulatorError('SIMULATOR_SEED_INVALID', message);
  }
  return object as unknown as Manifest;
}
