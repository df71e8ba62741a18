import type { GroupVersionKind } from 'client-ts/meta';

import { docComment } from './comment.ts';
import { bracketed, type Doc, hardline, indent, join, print } from './doc.ts';
import type { ModuleWriter } from './module-writer.ts';
import { resourceVariable, stringLiteral } from './names.ts';
import { literals, named, typeDoc, type TypeNode } from './type-node.ts';

/** What a generated descriptor contains. */
export interface ResourceFacts {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly SubresourceFacts[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /**
   * Why not to use the resource, if the server warns about it. Only the descriptor is marked as
   * deprecated: types refer to each other, and requests need the descriptor.
   */
  readonly deprecated?: string;
}

export interface SubresourceFacts {
  readonly name: string;
  readonly kind: GroupVersionKind;
  readonly verbs: readonly string[];
}

/** The verbs of `Verb` in client-ts/meta. A descriptor that has all of them has the type `Verb`. */
export const everyVerb: readonly string[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

/**
 * Declares the descriptors of a module, with their types imported from `specifier`. A list of verbs
 * that several of them share becomes a constant, so that modules stay small.
 */
export function declareDescriptors(
  module: ModuleWriter,
  resources: readonly { readonly facts: ResourceFacts; readonly type: string }[],
  specifier: string,
): void {
  if (resources.length === 0) return;
  const full = resources.filter(({ facts }) => hasEveryVerb(facts.verbs));
  let shared: string | undefined;
  if (full.length > 1) {
    shared = module.values.claim('everyVerb');
    const verb = module.importType(specifier, 'Verb');
    module.declare([`const ${shared}: readonly ${verb}[] = `, stringArray(everyVerb), ';']);
  }
  for (const { facts, type } of resources) {
    const verbs = shared !== undefined && hasEveryVerb(facts.verbs) ? shared : undefined;
    module.declare(descriptorDoc(module, specifier, facts, type, verbs));
  }
}

function descriptorDoc(
  module: ModuleWriter,
  specifier: string,
  facts: ResourceFacts,
  type: string,
  verbsConstant: string | undefined,
): Doc {
  const variable = module.values.claim(resourceVariable(facts.kind, facts.resource));
  const scope = facts.namespaced ? 'Namespaced' : 'Cluster';
  const subresources = facts.subresources.map(({ name }) => name);
  const descriptorType: TypeNode = {
    kind: 'generic',
    name: module.importType(specifier, 'ResourceDescriptor'),
    args: [
      named(type),
      literals([scope]),
      hasEveryVerb(facts.verbs)
        ? named(module.importType(specifier, 'Verb'))
        : literals(facts.verbs),
      literals(subresources),
    ],
  };
  const fields: [string, Doc][] = [
    ['group', stringLiteral(facts.group)],
    ['version', stringLiteral(facts.version)],
    ['resource', stringLiteral(facts.resource)],
    ['kind', stringLiteral(facts.kind)],
    ['singular', stringLiteral(facts.singular)],
    ['scope', stringLiteral(scope)],
    ['verbs', verbsConstant ?? stringArray(facts.verbs)],
    ['subresources', objectArray(facts.subresources.map(subresourceDoc))],
    ['shortNames', stringArray(facts.shortNames)],
    ['categories', stringArray(facts.categories)],
  ];
  const body = fields.map(([name, value]): Doc => [`${name}: `, value, ',']);
  const head: Doc = [`export const ${variable}: `, typeDoc(descriptorType)];
  const object: Doc = ['{', indent(hardline, join(hardline, body)), hardline, '}'];
  return [docComment(descriptorComment(facts)), head, assignedObject(head, object), ';'];
}

/** The formatter moves an object to the next line if ` =` fits on the line but ` = {` does not. */
function assignedObject(head: Doc, object: Doc): Doc {
  const room = 100 - print(head, Infinity).length;
  return room === 2 || room === 3 ? [' =', indent(hardline, object)] : [' = ', object];
}

/** Returns the path of a resource: `/apis/apps/v1/namespaces/{namespace}/deployments`. */
export function resourceTemplate({
  group,
  version,
  resource,
  namespaced,
}: Pick<ResourceFacts, 'group' | 'namespaced' | 'resource' | 'version'>): string {
  const root = group === '' ? '/api' : `/apis/${group}`;
  return `${root}/${version}${namespaced ? '/namespaces/{namespace}' : ''}/${resource}`;
}

function descriptorComment(facts: ResourceFacts): string {
  const path = `\`${resourceTemplate(facts)}\``;
  return facts.deprecated === undefined ? path : `${path}\n\n@deprecated ${facts.deprecated}`;
}

function subresourceDoc({ name, kind, verbs }: SubresourceFacts): Doc {
  const kindFields = [
    `group: ${stringLiteral(kind.group)}`,
    `version: ${stringLiteral(kind.version)}`,
    `kind: ${stringLiteral(kind.kind)}`,
  ];
  const fields: Doc[] = [
    `name: ${stringLiteral(name)}`,
    ['kind: ', bracketed('{', kindFields, '}', ' ')],
    ['verbs: ', stringArray(verbs)],
  ];
  return bracketed('{', fields, '}', ' ');
}

/** The formatter puts each of two or more objects on its own line. */
function objectArray(items: readonly Doc[]): Doc {
  return items.length < 2
    ? bracketed('[', items, ']')
    : ['[', indent(hardline, join([',', hardline], items), ','), hardline, ']'];
}

function stringArray(values: readonly string[]): Doc {
  return bracketed('[', values.map(stringLiteral), ']');
}

function hasEveryVerb(verbs: readonly string[]): boolean {
  return everyVerb.every((verb) => verbs.includes(verb));
}
