import type {
  CustomResourceColumnDefinition,
  CustomResourceConversion,
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
  JSONSchemaProps,
  SelectableField,
} from '../api/apiextensions/v1.ts';
import { cloneJson, isJsonObject, jsonEqual, type JsonObject } from '../lib/json.ts';
import {
  apiVersionOf,
  type ResourceDescriptor,
  type Scope,
  type SubresourceDescriptor,
  type Verb,
} from '../meta/resource.ts';
import type { KubernetesObject } from '../meta/types.ts';
import { definitionProblems } from './check-definition.ts';
import { InvalidResourceError, ResourceDefinitionError, type SchemaProblem } from './crd-errors.ts';
import { complete } from './defaults.ts';
import type { CustomResource, StructuralSchema } from './schema.ts';
import { checkValue, META_FIELDS } from './validate.ts';

/** The subresources that a custom resource can have. */
export interface CustomSubresources {
  /** `{}` keeps `status` apart from the rest: it has its own endpoint and its own writers. */
  readonly status: Readonly<Record<string, never>>;
  /** Where the replicas are, for `kubectl scale` and autoscalers. */
  readonly scale: Readonly<CustomResourceSubresourceScale>;
}

/** The declaration of a custom resource in one version. */
export interface ResourceDefinition<
  Group extends string = string,
  Version extends string = string,
  Kind extends string = string,
  S extends Scope = Scope,
  Sub extends keyof CustomSubresources = keyof CustomSubresources,
  Schema extends StructuralSchema = StructuralSchema,
> {
  /** A domain: `example.com`. */
  readonly group: Group;
  /** `v1`, `v1beta1`. */
  readonly version: Version;
  /** `Site`. */
  readonly kind: Kind;
  /**
   * The structural schema of the whole object, in OpenAPI v3. `apiVersion`, `kind` and `metadata`
   * need not be named.
   */
  readonly schema: Schema;
  /** Default `Namespaced`. */
  readonly scope?: S | undefined;
  /** Default: the kind in lower case with `s`, `es` or `ies`. */
  readonly plural?: string | undefined;
  /** Default: the kind in lower case. */
  readonly singular?: string | undefined;
  readonly shortNames?: readonly string[] | undefined;
  /** Groups of resources that include this one: `all`. */
  readonly categories?: readonly string[] | undefined;
  readonly subresources?: { readonly [Name in Sub]: CustomSubresources[Name] } | undefined;
  /** The columns of `kubectl get` beside name and age. */
  readonly additionalPrinterColumns?:
    | readonly Readonly<CustomResourceColumnDefinition>[]
    | undefined;
  /** Fields that field selectors may name. */
  readonly selectableFields?: readonly Readonly<SelectableField>[] | undefined;
  /** Whether servers offer this version. Default true. */
  readonly served?: boolean | undefined;
  /** Whether servers warn about this version. */
  readonly deprecated?: boolean | undefined;
  readonly deprecationWarning?: string | undefined;
}

/** A declaration with any subresources, or none. */
type AnyDefinition = Omit<ResourceDefinition, 'subresources'> & {
  readonly subresources?: Partial<CustomSubresources> | undefined;
};

/** Options of `validate` and `parse`. */
export interface ValidateOptions {
  /**
   * `Strict` reports fields that the schema does not name, `Ignore` accepts them as servers do,
   * which then drop them. Default `Strict`.
   */
  readonly fieldValidation?: 'Ignore' | 'Strict' | undefined;
}

/** A custom resource: its descriptor, the CRD, and the validation of its objects. */
export interface DefinedResource<
  T extends KubernetesObject = KubernetesObject,
  S extends Scope = Scope,
  Sub extends string = string,
> extends ResourceDescriptor<T, S, Verb, Sub> {
  /** The CRD with this version alone. See {@link customResourceDefinition} for several. */
  readonly definition: CustomResourceDefinition;

  /**
   * Returns what is wrong with an object, after defaults; an empty list means that its schema
   * accepts it. The rules are the server's for everything that JSON Schema says. Left to the server
   * are CEL rules, metadata, formats other than `byte`, `date`, `date-time` and `uuid`, and patterns
   * with syntax that JavaScript does not have. Patterns run on JavaScript's engine, which can take
   * exponential time: do not use nested repetitions on text from untrusted sources.
   */
  validate(object: unknown, options?: ValidateOptions): SchemaProblem[];

  /**
   * Returns a copy of an object with the defaults of the schema, as a server would store it. Throws
   * an {@link InvalidResourceError} if `validate` finds problems.
   */
  parse(object: unknown, options?: ValidateOptions): T;
}

/**
 * Declares a custom resource once: the result is its descriptor for clients, informers and
 * controllers, has the CRD in `definition`, and validates objects. The type of the objects is
 * inferred from the schema. Throws a {@link ResourceDefinitionError} that names every field of the
 * declaration that servers would refuse.
 *
 * ```ts
 * import { defineResource } from 'client-ts/crd';
 * import type { ObjectOf } from 'client-ts/meta';
 *
 * const sites = defineResource({
 *   group: 'example.com',
 *   version: 'v1',
 *   kind: 'Site',
 *   subresources: { status: {} },
 *   schema: {
 *     type: 'object',
 *     required: ['spec'],
 *     properties: {
 *       spec: {
 *         type: 'object',
 *         required: ['image'],
 *         properties: {
 *           image: { type: 'string' },
 *           replicas: { type: 'integer', minimum: 0, default: 1 },
 *         },
 *       },
 *       status: { type: 'object', properties: { ready: { type: 'boolean' } } },
 *     },
 *   },
 * });
 * type Site = ObjectOf<typeof sites>;
 * ```
 */
export function defineResource<
  const Group extends string,
  const Version extends string,
  const Kind extends string,
  const Schema extends StructuralSchema,
  const S extends Scope = 'Namespaced',
  const Sub extends keyof CustomSubresources = never,
>(
  definition: ResourceDefinition<Group, Version, Kind, S, Sub, Schema>,
): DefinedResource<CustomResource<Group, Version, Kind, Schema>, S, Sub>;
export function defineResource(definition: AnyDefinition): DefinedResource {
  const { group, version, kind, scope, plural, singular } = definition;
  const names = {
    singular: singular ?? kind.toLowerCase(),
    plural: plural ?? pluralOf(kind.toLowerCase()),
  };
  const problems = definitionProblems({ ...definition, ...names });
  if (problems.length > 0) throw new ResourceDefinitionError(`${kind}.${group}`, problems);
  const resource: DefinedResource = {
    group,
    version,
    resource: names.plural,
    kind,
    singular: names.singular,
    scope: scope ?? 'Namespaced',
    verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    subresources: subresourcesOf(definition),
    shortNames: [...(definition.shortNames ?? [])],
    categories: [...(definition.categories ?? [])],
    get definition() {
      return customResourceDefinition([resource]);
    },
    validate: (object, options) => inspect(object, definition, options).problems,
    parse: (object, options) => {
      const { completed, problems: found } = inspect(object, definition, options);
      if (found.length === 0) return completed as KubernetesObject;
      throw new InvalidResourceError(kind, nameIn(object), found);
    },
  };
  versions.set(resource, versionOf(definition));
  return resource;
}

/** The version of the CRD that each declaration yields. */
const versions = new WeakMap<DefinedResource, CustomResourceDefinitionVersion>();

/** Options of {@link customResourceDefinition}. */
export interface CustomResourceDefinitionOptions {
  /** How servers convert between versions. Default: they only change `apiVersion`. */
  readonly conversion?: CustomResourceConversion | undefined;
}

/**
 * Returns the CRD of a resource that was declared in one or more versions. Objects are stored in
 * the first. Throws a {@link ResourceDefinitionError} if the declarations differ in anything but
 * version and schema.
 */
export function customResourceDefinition(
  resources: readonly [DefinedResource, ...DefinedResource[]],
  { conversion }: CustomResourceDefinitionOptions = {},
): CustomResourceDefinition {
  const [first] = resources;
  checkVersions(resources);
  const { group, kind, resource, singular, scope, shortNames, categories } = first;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${resource}.${group}` },
    spec: {
      group,
      scope,
      names: {
        kind,
        listKind: `${kind}List`,
        plural: resource,
        singular,
        ...(shortNames.length > 0 && { shortNames: [...shortNames] }),
        ...(categories.length > 0 && { categories: [...categories] }),
      },
      versions: resources.map((defined) => ({
        ...cloneJson(declaredVersion(defined)),
        storage: defined === first,
      })),
      ...(conversion !== undefined && { conversion: cloneJson(conversion) }),
    },
  };
}

function declaredVersion(resource: DefinedResource): CustomResourceDefinitionVersion {
  const version = versions.get(resource);
  if (version !== undefined) return version;
  const message = 'was not declared with defineResource; a copy of a resource is not one';
  throw new ResourceDefinitionError(`${resource.kind}.${resource.group}`, [{ field: '', message }]);
}

function checkVersions(resources: readonly [DefinedResource, ...DefinedResource[]]): void {
  const [first, ...others] = resources;
  const shared = [
    'group',
    'kind',
    'resource',
    'singular',
    'scope',
    'shortNames',
    'categories',
  ] as const;
  const problems: SchemaProblem[] = others.flatMap((other) =>
    shared
      .filter((field) => !jsonEqual(other[field], first[field]))
      .map((field) => ({
        field,
        message: `differs between ${first.version} and ${other.version}`,
      })),
  );
  const names = resources.map(({ version }) => version);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    problems.push({ field: 'version', message: `"${repeated}" is declared twice` });
  if (problems.length > 0) {
    throw new ResourceDefinitionError(`${first.kind}.${first.group}`, problems);
  }
}

/** The plural that kubectl and controller-gen guess for a singular. */
function pluralOf(singular: string): string {
  if (/(?:s|x|ch|sh)$/.test(singular)) return `${singular}es`;
  return /[^aeiou]y$/.test(singular) ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}

function subresourcesOf(definition: AnyDefinition): SubresourceDescriptor[] {
  const { group, version, kind, subresources = {} } = definition;
  return Object.keys(subresources).map((name) => ({
    name,
    kind:
      name === 'scale'
        ? { group: 'autoscaling', version: 'v1', kind: 'Scale' }
        : { group, version, kind },
    verbs: ['get', 'patch', 'update'],
  }));
}

function versionOf(definition: AnyDefinition): CustomResourceDefinitionVersion {
  const { version, schema, served = true, deprecated, deprecationWarning } = definition;
  const { subresources, additionalPrinterColumns, selectableFields } = definition;
  const declared: CustomResourceDefinitionVersion = {
    name: version,
    served,
    storage: true,
    ...(deprecated !== undefined && { deprecated }),
    ...(deprecationWarning !== undefined && { deprecationWarning }),
    ...(subresources !== undefined && { subresources }),
    ...(additionalPrinterColumns !== undefined && {
      additionalPrinterColumns: [...additionalPrinterColumns],
    }),
    ...(selectableFields !== undefined && { selectableFields: [...selectableFields] }),
    // The same fields; the API's type is not read-only.
    schema: { openAPIV3Schema: schema as JSONSchemaProps },
  };
  return cloneJson(declared);
}

function nameIn(object: unknown): string {
  const metadata = isJsonObject(object) ? object['metadata'] : undefined;
  const name = isJsonObject(metadata) ? (metadata['name'] ?? metadata['generateName']) : undefined;
  return typeof name === 'string' ? name : '';
}

interface Inspection {
  readonly completed: unknown;
  readonly problems: SchemaProblem[];
}

function inspect(
  object: unknown,
  definition: AnyDefinition,
  { fieldValidation = 'Strict' }: ValidateOptions = {},
): Inspection {
  if (!isJsonObject(object)) {
    return { completed: object, problems: [{ field: '', message: 'must be an object' }] };
  }
  const completed: JsonObject = cloneJson(object);
  const schema = rootSchema(definition.schema);
  complete(completed, schema);
  return {
    completed,
    problems: [
      ...typeMetaProblems(completed, definition),
      ...checkValue(completed, schema, '', { rejectUnknownFields: fieldValidation === 'Strict' }),
    ],
  };
}

/** Clients fill in `apiVersion` and `kind`, and `metadata` has the server's own rules. */
function rootSchema(schema: StructuralSchema): StructuralSchema {
  const required = schema.required?.filter((name) => name === 'metadata' || !META_FIELDS.has(name));
  return {
    ...schema,
    ...(required !== undefined && { required }),
    'x-kubernetes-embedded-resource': true,
  };
}

function typeMetaProblems(object: JsonObject, definition: AnyDefinition): SchemaProblem[] {
  const problem = (field: string, found: unknown, wanted: string): SchemaProblem[] =>
    found === undefined || found === wanted
      ? []
      : [{ field, message: `must be "${wanted}", is ${JSON.stringify(found)}` }];
  return [
    ...problem('apiVersion', object['apiVersion'], apiVersionOf(definition)),
    ...problem('kind', object['kind'], definition.kind),
  ];
}
