import { isJsonObject, type JsonObject } from 'client-ts/internal';
import type { GroupVersion } from 'client-ts/meta';

import { type CustomKind, customModuleText } from '../custom-module.ts';
import type { ResourceFacts, SubresourceFacts } from '../descriptor.ts';
import { CrdError, type CrdFault } from '../errors.ts';
import type { Schema } from '../schema.ts';
import { checkCrd } from './check-crd.ts';
import { type CrdSource, type Place, readDocuments } from './source.ts';

/** The verbs of every custom resource. */
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
 * Generates typed modules for CustomResourceDefinitions: one per group and served version, with the
 * types and a descriptor for each resource. Returns the text of each module by its path below the
 * output directory, `example.com/v1.ts`. The order of the definitions does not matter. Objects of
 * other kinds are skipped.
 *
 * @throws {CrdError} with every fault of every source, if there is any.
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

/** The warning that a server sends with every response of a deprecated version. */
function deprecationOf(spec: Crd['spec'], version: CrdVersion): string {
  return (
    version.deprecationWarning ?? `${spec.group}/${version.name} ${spec.names.kind} is deprecated`
  );
}

/** The part of a CustomResourceDefinition that types are generated from. */
interface Crd {
  readonly spec: {
    readonly group: string;
    readonly scope: 'Cluster' | 'Namespaced';
    readonly names: {
      readonly plural: string;
      readonly kind: string;
      readonly singular?: string;
      readonly listKind?: string;
      readonly shortNames?: readonly string[];
      readonly categories?: readonly string[];
    };
    readonly versions: readonly CrdVersion[];
  };
}

interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema: { readonly openAPIV3Schema: Schema };
  readonly subresources?: { readonly status?: JsonObject | null; readonly scale?: JsonObject };
}

/** Options of {@link readCrds}. */
export interface ReadCrdsOptions {
  /** Called with a line for each object of another kind, which is skipped. */
  readonly onSkip?: ((note: string) => void) | undefined;
}

/**
 * Reads and checks every CustomResourceDefinition of the sources: several documents, and lists as
 * `kubectl get crd -o yaml` writes them. Empty documents and objects of other kinds are skipped, as
 * release manifests contain both; a source without any definition is a fault.
 *
 * @throws {CrdError} with all faults of all sources, if there is any.
 */
export function readCrds(
  sources: readonly CrdSource[],
  { onSkip = () => undefined }: ReadCrdsOptions = {},
): Crd[] {
  const faults: CrdFault[] = [];
  const crds: Place[] = [];
  let hint: string | undefined;
  for (const source of sources) {
    const known = faults.length;
    const objects = readDocuments(source, faults).flatMap(listed);
    const definitions = objects.filter((object) => otherKind(object) === undefined);
    const skipped = objects.flatMap((object) => otherKind(object) ?? []);
    if (definitions.length === 0 && faults.length === known) {
      const found = skipped.length === 0 ? 'it is empty' : `only ${skipped.join(', ')}`;
      const message = `holds no CustomResourceDefinition: ${found}`;
      faults.push({ source: source.name, document: 1, path: '', message });
      hint = 'A definition can be saved with kubectl get crd NAME -o yaml.';
    } else {
      for (const kind of skipped) onSkip(`${source.name}: skipped a ${kind}`);
    }
    crds.push(...definitions);
  }
  for (const crd of crds) checkCrd(crd);
  checkUnique(crds);
  if (faults.length > 0) throw new CrdError(withoutRepetition(faults), { hint });
  return crds.map(({ value }) => value as unknown as Crd);
}

/** The items of a list, or the document itself. */
function listed(document: Place): Place[] {
  const kind = isJsonObject(document.value) ? document.value['kind'] : undefined;
  return kind === 'List' || kind === 'CustomResourceDefinitionList'
    ? document.at('items').items()
    : [document];
}

/** The kind of an object that is something else than a CustomResourceDefinition. */
function otherKind({ value }: Place): string | undefined {
  const kind = isJsonObject(value) ? value['kind'] : undefined;
  const isOther = typeof kind === 'string' && kind !== '' && kind !== 'CustomResourceDefinition';
  return isOther ? kind : undefined;
}

/** Two definitions of one resource or kind would write the same names. */
function checkUnique(crds: readonly Place[]): void {
  const seen = new Set<string>();
  for (const crd of crds) {
    const group = crd.at('spec', 'group').value;
    for (const name of ['plural', 'kind']) {
      const place = crd.at('spec', 'names', name);
      if (typeof place.value !== 'string' || typeof group !== 'string') continue;
      const key = `${name} ${place.value} ${group}`;
      if (seen.has(key)) place.report(`${place.value} of ${group} is defined twice`);
      seen.add(key);
    }
  }
}

/** A value of the wrong type is reported by each check that looks at it; once is enough. */
function withoutRepetition(faults: readonly CrdFault[]): CrdFault[] {
  return [...new Map(faults.map((fault) => [JSON.stringify(fault), fault])).values()];
}
