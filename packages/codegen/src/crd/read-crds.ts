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

/**
 * Reads and checks every CustomResourceDefinition of the sources: several documents, and lists as
 * `kubectl get crd -o yaml` writes them.
 *
 * @throws {CrdError} with all faults of all sources, if there is any.
 */
export function readCrds(sources: readonly CrdSource[]): Crd[] {
  const faults: CrdFault[] = [];
  const crds: Place[] = [];
  for (const source of sources) {
    const { documents, faults: syntax } = readDocuments(source);
    faults.push(...syntax);
    if (documents.length === 0 && syntax.length === 0) {
      faults.push({
        source: source.name,
        document: 1,
        path: '',
        message: 'holds no CustomResourceDefinition: it is empty',
      });
    }
    crds.push(...documents.flatMap((document) => listed(Place.root(document, faults))));
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
