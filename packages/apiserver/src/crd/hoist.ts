import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
  CustomResourceValidation,
  SelectableField,
} from 'client-ts/api/apiextensions/v1';
import { jsonEqual } from 'client-ts/internal';

/** What a version of a CRD may have of its own. */
interface PerVersion {
  readonly schema?: CustomResourceValidation;
  readonly subresources?: CustomResourceSubresources;
  readonly additionalPrinterColumns?: readonly CustomResourceColumnDefinition[];
  readonly selectableFields?: readonly SelectableField[];
}

/**
 * A CRD in the form in which the server checks it: what is the same in all versions stands once, on
 * top. It shows in findings, which say `spec.validation.openAPIV3Schema` for a schema that every
 * version has, and `spec.versions[1].schema.openAPIV3Schema` for one of several.
 */
export interface HoistedSpec extends PerVersion {
  readonly versions: readonly CustomResourceDefinitionVersion[];
}

const hoistable = [
  'additionalPrinterColumns',
  'schema',
  'selectableFields',
  'subresources',
] as const;

/** Moves up what all versions have in common. */
export function hoist(spec: CustomResourceDefinitionSpec): HoistedSpec {
  const versions = spec.versions ?? [];
  const [first] = versions;
  const top: Record<string, unknown> = {};
  const rest: CustomResourceDefinitionVersion[] = versions.map((version) => ({ ...version }));
  for (const key of hoistable) {
    if (!versions.every((version) => jsonEqual(version[key], first?.[key]))) continue;
    if (first?.[key] !== undefined) top[key] = first[key];
    for (const version of rest) delete version[key];
  }
  return { ...top, versions: rest };
}
