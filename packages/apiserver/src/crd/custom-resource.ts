import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinition,
  CustomResourceSubresourceScale,
} from 'client-ts/api/apiextensions/v1';
import type { GroupVersionKind, Scope } from 'client-ts/meta';

import type { Schema } from '../schema/schema.ts';
import { objectMetaSchema } from './embedded-metadata.ts';
import { hasRules } from './schema-walk.ts';
import { resourceSchema, structuralSchema } from './structural.ts';

/** One version of a custom resource, ready to serve. */
export interface CustomResourceVersion extends GroupVersionKind {
  /** The name of the definition. */
  readonly crd: string;
  readonly resource: string;
  readonly singular: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly scope: Scope;
  readonly served: boolean;
  /** True for the storage version. */
  readonly storage: boolean;
  /** The schema as written, for pruning, defaulting and validation. */
  readonly structural: Schema;
  /** The schema with the metadata of all objects, for patches and managed fields. */
  readonly schema: Schema;
  /** True if the schema has rules in CEL. */
  readonly hasRules: boolean;
  readonly hasStatus: boolean;
  readonly scale?: CustomResourceSubresourceScale;
  readonly columns: readonly CustomResourceColumnDefinition[];
  /** Field paths for field selectors, without the leading dot: `spec.color`. */
  readonly selectableFields: readonly string[];
  /** The `Warning` sent with every response, for deprecated versions. */
  readonly deprecation?: string;
}

/**
 * Returns the versions of a custom resource, served or not, in order of preference: stable versions
 * first, newer before older.
 */
export function customResourceVersions({
  metadata,
  spec,
}: CustomResourceDefinition): CustomResourceVersion[] {
  const { group, names } = spec;
  const objectMeta = objectMetaSchema();
  const sorted = (spec.versions ?? []).toSorted((left, right) =>
    comparePriority(left.name, right.name),
  );
  return sorted.map((version) => {
    const { name, served, storage, schema, subresources } = version;
    const props = schema?.openAPIV3Schema ?? {};
    const scale = subresources?.scale;
    const deprecation = deprecationOf(version, spec, sorted);
    return {
      group,
      version: name,
      kind: names.kind,
      crd: metadata?.name ?? '',
      resource: names.plural,
      singular: names.singular ?? '',
      listKind: names.listKind ?? '',
      shortNames: names.shortNames ?? [],
      categories: names.categories ?? [],
      scope: spec.scope === 'Cluster' ? 'Cluster' : 'Namespaced',
      served,
      storage,
      structural: structuralSchema(props),
      schema: resourceSchema(props, objectMeta),
      hasRules: hasRules(props),
      hasStatus: subresources?.status !== undefined,
      ...(scale && { scale }),
      columns: version.additionalPrinterColumns ?? [],
      selectableFields: (version.selectableFields ?? []).map(({ jsonPath }) =>
        jsonPath.replace(/^\./, ''),
      ),
      ...(deprecation !== undefined && { deprecation }),
    };
  });
}

type Version = CustomResourceDefinition['spec']['versions'][number];

/** The default warning recommends a newer stable version, if there is one. */
function deprecationOf(
  version: Version,
  { group, names }: CustomResourceDefinition['spec'],
  sorted: readonly Version[],
): string | undefined {
  if (version.deprecated !== true) return undefined;
  if (version.deprecationWarning !== undefined) return version.deprecationWarning;
  const of = (name: string): string => `${group}/${name} ${names.kind}`;
  const better = sorted.find(
    ({ served, deprecated, name }) =>
      served && deprecated !== true && comparePriority(name, version.name) < 0,
  );
  const text = `${of(version.name)} is deprecated`;
  return better === undefined ? text : `${text}; use ${of(better.name)}`;
}

const kubeVersion = /^v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?$/;

/** Orders versions by priority: v2, v1, v1beta2, v1beta1, v1alpha1, then others by name. */
export function comparePriority(left: string, right: string): number {
  const [a, b] = [kubeVersion.exec(left), kubeVersion.exec(right)];
  if (a === null || b === null) {
    if (a !== null) return -1;
    if (b !== null) return 1;
    return left < right ? -1 : Number(left > right);
  }
  const rank = ([, , stage]: RegExpExecArray): number =>
    stage === undefined ? 0 : stage === 'beta' ? 1 : 2;
  return rank(a) - rank(b) || Number(b[1]) - Number(a[1]) || Number(b[3] ?? 0) - Number(a[3] ?? 0);
}
