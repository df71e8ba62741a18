import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { JsonObject } from 'client-ts/internal';
import { apiVersionOf } from 'client-ts/meta';

import type { ModelParts, ProtobufMessages } from '../model.ts';
import { extractApiModel } from './api-model.ts';
import { extractGoShapes, type GoPackages, withEnums } from './go-shapes.ts';
import { type GoPackage, readGoPackage } from './go-source.ts';
import { readProtobufMessages } from './protobuf.ts';

/**
 * Versions that a server serves only with a feature gate, even if all versions are enabled. The tree
 * publishes them all the same; a version that leaves its gate behind is taken off this list.
 */
const GATED = new Set([
  'certificates.k8s.io/v1alpha1',
  'certificates.k8s.io/v1beta1',
  'scheduling.k8s.io/v1alpha1',
  'scheduling.k8s.io/v1alpha2',
  'storagemigration.k8s.io/v1alpha1',
  'storagemigration.k8s.io/v1beta1',
]);

const MODULES = ['api', 'apimachinery', 'apiextensions-apiserver', 'kube-aggregator'];

/**
 * Extracts the model from a source tree of Kubernetes: resources and schemas from the published
 * documents in `api/`, shapes and enums from the Go types and field numbers from the `.proto` files
 * in `staging/src/k8s.io`.
 */
export async function extractFromSource(
  directory: string,
  kubernetes: string,
): Promise<ModelParts> {
  const published = await extractApiModel(kubernetes, {
    read: async (path) => readPublished(directory, path),
    isIncluded: (groupVersion) => !GATED.has(apiVersionOf(groupVersion)),
  });
  const packages = goPackagesIn(join(directory, 'staging/src'));
  const api = { ...published, schemas: withEnums(published.schemas, packages) };
  return {
    api,
    shapes: extractGoShapes(api.schemas, packages),
    messages: messagesIn(join(directory, 'staging/src/k8s.io')),
  };
}

/** `/openapi/v3/apis/apps/v1` → `api/openapi-spec/v3/apis__apps__v1_openapi.json`. */
function readPublished(directory: string, path: string): JsonObject {
  const document = /^\/openapi\/v3\/(.*)$/.exec(path)?.[1];
  const flat = (document ?? path.slice(1)).replaceAll('/', '__');
  const file =
    document === undefined
      ? `api/discovery/${flat}.json`
      : `api/openapi-spec/v3/${flat}_openapi.json`;
  return JSON.parse(readFileSync(join(directory, file), 'utf8')) as JsonObject;
}

/** Reads packages when they are first asked for. */
function goPackagesIn(directory: string): GoPackages {
  const known = new Map<string, GoPackage | undefined>();
  return (importPath) => {
    if (!known.has(importPath)) known.set(importPath, readPackage(join(directory, importPath)));
    return known.get(importPath);
  };
}

function readPackage(directory: string): GoPackage | undefined {
  if (!existsSync(directory)) return undefined;
  const files = readdirSync(directory)
    .filter(
      (name) => name.endsWith('.go') && !/_test\.go$|^(?:zz_)?generated|_generated\./.test(name),
    )
    .toSorted();
  return readGoPackage(files.map((name) => readFileSync(join(directory, name), 'utf8')));
}

function messagesIn(directory: string): ProtobufMessages {
  const messages = MODULES.flatMap((module) => {
    const root = join(directory, module);
    return readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('generated.proto'))
      .flatMap((path) =>
        Object.entries(readProtobufMessages(readFileSync(join(root, path), 'utf8'))),
      );
  });
  return Object.fromEntries(messages.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
