import type { GroupVersion } from 'client-ts/meta';

import { type CustomKind, customModuleText } from '../custom-module.ts';
import type { ResourceFacts, SubresourceFacts } from '../descriptor.ts';
import type { CrdSource } from './documents.ts';
import { type Crd, type CrdVersion, readCrds, type ReadCrdsOptions } from './read-crds.ts';

/** What a server serves for every custom resource. */
const customVerbs = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

const subresourceVerbs = ['get', 'patch', 'update'];

/**
 * Typed modules for CustomResourceDefinitions: one per group and served version, with the types,
 * and a descriptor for each resource. Gives the path of each module below the output directory,
 * `example.com/v1.ts`, and its text. The same definitions in any order give the same modules. Objects
 * of other kinds are skipped.
 *
 * @throws {CrdError} with every fault of every source; then there is no output at all.
 */
export function generateFromCrds(
  sources: readonly CrdSource[],
  options: ReadCrdsOptions = {},
): Map<string, string> {
  const modules = new Map<string, { groupVersion: GroupVersion; kinds: CustomKind[] }>();
  for (const crd of readCrds(sources, options)) {
    for (const version of crd.spec.versions.filter(({ served }) => served)) {
      const groupVersion = { group: crd.spec.group, version: version.name };
      const path = `${groupVersion.group}/${groupVersion.version}.ts`;
      const module = modules.get(path) ?? { groupVersion, kinds: [] };
      modules.set(path, module);
      module.kinds.push(customKind(crd, version));
    }
  }
  return new Map(
    [...modules]
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([path, { groupVersion, kinds }]) => [path, customModuleText(groupVersion, kinds)]),
  );
}

function customKind({ spec }: Crd, version: CrdVersion): CustomKind {
  const { kind, plural, singular, listKind, shortNames, categories } = spec.names;
  const facts: ResourceFacts = {
    group: spec.group,
    version: version.name,
    resource: plural,
    kind,
    singular: singular ?? kind.toLowerCase(),
    namespaced: spec.scope === 'Namespaced',
    verbs: customVerbs,
    subresources: subresourcesOf(spec, version),
    shortNames: shortNames ?? [],
    categories: categories ?? [],
    ...(version.deprecated === true ? { deprecated: deprecationOf(spec, version) } : {}),
  };
  return { facts, listKind: listKind ?? `${kind}List`, schema: version.schema.openAPIV3Schema };
}

function subresourcesOf(spec: Crd['spec'], version: CrdVersion): SubresourceFacts[] {
  const own = { group: spec.group, version: version.name, kind: spec.names.kind };
  const subresources: SubresourceFacts[] = [];
  if (version.subresources?.scale !== undefined) {
    const kind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
    subresources.push({ name: 'scale', kind, verbs: subresourceVerbs });
  }
  if (version.subresources?.status !== undefined) {
    subresources.push({ name: 'status', kind: own, verbs: subresourceVerbs });
  }
  return subresources;
}

/** The warning a server sends with every answer of a deprecated version. */
function deprecationOf(spec: Crd['spec'], version: CrdVersion): string {
  return (
    version.deprecationWarning ?? `${spec.group}/${version.name} ${spec.names.kind} is deprecated`
  );
}
