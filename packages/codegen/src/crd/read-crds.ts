import { isJsonObject, type JsonObject } from 'client-ts/internal';

import type { Schema } from '../schema.ts';
import { checkCrd } from './check-crd.ts';
import { type CrdSource, readDocuments } from './documents.ts';
import { CrdError, type CrdFault } from './fault.ts';
import { Place } from './place.ts';

/** The part of a CustomResourceDefinition that types are made from. */
export interface Crd {
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

export interface CrdVersion {
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
  for (const source of sources) {
    const { documents, faults: syntax } = readDocuments(source);
    faults.push(...syntax);
    const objects = documents.flatMap((document) => listed(Place.root(document, faults)));
    const definitions = objects.filter((object) => otherKind(object) === undefined);
    const skipped = objects.flatMap((object) => otherKind(object) ?? []);
    if (definitions.length === 0 && syntax.length === 0) {
      const found = skipped.length === 0 ? 'it is empty' : `only ${skipped.join(', ')}`;
      const message = `holds no CustomResourceDefinition: ${found}`;
      faults.push({ source: source.name, document: 1, path: '', message });
    } else {
      for (const kind of skipped) onSkip(`${source.name}: skipped a ${kind}`);
    }
    crds.push(...definitions);
  }
  for (const crd of crds) checkCrd(crd);
  checkUnique(crds);
  if (faults.length > 0) throw new CrdError(withoutRepetition(faults));
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
