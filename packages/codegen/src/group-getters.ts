import { getKey } from 'client-ts/internal';
import { apiVersionOf } from 'client-ts/meta';

import type { ApiModule } from './api-modules.ts';
import { docComment } from './comment.ts';
import { resourceTemplate } from './descriptor.ts';
import { type Doc, group, hardline, indent, join, print, softline } from './doc.ts';
import type { ApiModel, ModelResource } from './model.ts';
import { pascalCase, resourceVariable } from './names.ts';

/** The modules of the API, relative to the generated ones. */
const apiDirectory = '../../api';

/** Groups that client-go names differently from the folder of their types. */
const groupNames: Readonly<Record<string, string>> = { apiserverinternal: 'internal' };

/** `apps/v1` → `appsV1`, as client-go has it. */
export function getterName({ path }: ApiModule): string {
  const [group = '', version = ''] = path.split('/');
  return (getKey(groupNames, group) ?? group) + pascalCase(version);
}

/** An interface for each group-version, with a member for each resource. */
export interface InterfacesPlan {
  /** Title in the first line: `The clients of every group-version`. */
  readonly title: string;
  /** Statements after the imports of the API. */
  readonly imports: readonly string[];
  /** The interface is named `AppsV1` followed by this. */
  readonly suffix: string;
  /** The type whose argument is the type of the descriptor; undefined for no member. */
  readonly memberType: (resource: ModelResource) => string | undefined;
}

/** Returns the text of a module with such interfaces. */
export function interfacesText(
  model: ApiModel,
  modules: readonly ApiModule[],
  plan: InterfacesPlan,
): string {
  return moduleText(model, plan.title, [
    join(hardline, [...importsOf(modules, 'import type * as'), ...plan.imports]),
    ...modules.map((module): Doc => {
      const { groupVersion } = module;
      const members = groupVersion.resources.flatMap((facts): Doc[] => {
        const type = plan.memberType(facts);
        return type === undefined ? [] : [memberDoc(module, facts, type)];
      });
      return [
        docComment(`The resources of \`${apiVersionOf(groupVersion)}\`.`),
        `export interface ${interfaceName(module, plan.suffix)} {`,
        indent(hardline, join(hardline, members)),
        hardline,
        '}',
      ];
    }),
  ]);
}

function memberDoc(module: ApiModule, facts: ModelResource, type: string): Doc {
  const { kind, resource } = facts;
  const name = resourceVariable(kind, resource);
  const argument = `typeof ${getterName(module)}.${name}`;
  return [
    docComment(`\`${resourceTemplate({ ...module.groupVersion, ...facts })}\``),
    `readonly ${name}: ${type}`,
    group('<', indent(softline, argument), softline, '>;'),
  ];
}

/** Returns the text of a module with the type of the descriptor of each kind, by `apps/v1/Deployment`. */
export function kindsText(model: ApiModel, modules: readonly ApiModule[]): string {
  const members = modules.flatMap((module) =>
    module.groupVersion.resources.map(({ kind, resource }): Doc => {
      const name = `${apiVersionOf(module.groupVersion)}/${kind}`;
      return `'${name}': typeof ${getterName(module)}.${resourceVariable(kind, resource)};`;
    }),
  );
  return moduleText(model, 'The descriptors of every kind', [
    join(hardline, importsOf(modules, 'import type * as')),
    [
      docComment('The types of the descriptors of built-in resources, by apiVersion and kind.'),
      'export interface BuiltInKinds {',
      indent(hardline, join(hardline, members)),
      hardline,
      '}',
    ],
  ]);
}

/** A class with a getter for each group-version, which creates its value on first use. */
export interface GettersPlan {
  /** Title in the first line: `Getters for every group-version`. */
  readonly title: string;
  /** Statements before the import of the interfaces. */
  readonly imports: readonly string[];
  /** See {@link InterfacesPlan.suffix}. */
  readonly suffix: string;
  /** The module of the interfaces. */
  readonly interfaces: string;
  /** One sentence on the class. */
  readonly about: string;
  /** `abstract class Base` and all else before the brace. */
  readonly declaration: string;
  /** Members before the getters. */
  readonly members: readonly Doc[];
  /** The value of a getter: `groupOf(this, appsV1)`. */
  readonly make: (name: string) => Doc;
  /** True if that keeps the value itself. */
  readonly isKept?: boolean | undefined;
}

/** Returns the text of a module with such a class. */
export function gettersText(
  model: ApiModel,
  modules: readonly ApiModule[],
  plan: GettersPlan,
): string {
  const names = modules.map((module) => interfaceName(module, plan.suffix)).toSorted();
  const listed = join(
    hardline,
    names.map((name) => `${name},`),
  );
  const { isKept = false } = plan;
  const fields = isKept
    ? []
    : modules.map(
        (module): Doc => `#${getterName(module)}?: ${interfaceName(module, plan.suffix)};`,
      );
  const members = [...plan.members, ...fields];
  const head = members.length === 0 ? [] : [join(hardline, members)];
  const getters = modules.map((module) => getterDoc(module, plan));
  return moduleText(model, plan.title, [
    join(hardline, [
      ...plan.imports,
      ['import type {', indent(hardline, listed), hardline, `} from '${plan.interfaces}';`],
    ]),
    [
      docComment(plan.about),
      `export ${plan.declaration} {`,
      indent(hardline, join([hardline, hardline], [...head, ...getters])),
      hardline,
      '}',
    ],
  ]);
}

function getterDoc(module: ApiModule, { suffix, make, isKept = false }: GettersPlan): Doc {
  const name = getterName(module);
  const value = isKept
    ? group('return ', make(name), ';')
    : group(`return (this.#${name} ??= `, make(name), ');');
  return [
    docComment(`\`${apiVersionOf(module.groupVersion)}\``),
    `get ${name}(): ${interfaceName(module, suffix)} {`,
    indent(hardline, value),
    hardline,
    '}',
  ];
}

/** Returns imports of the modules of the API, under the names of the getters. */
export function importsOf(modules: readonly ApiModule[], keyword: string): string[] {
  return modules
    .toSorted((left, right) => (left.path < right.path ? -1 : 1))
    .map((module) => `${keyword} ${getterName(module)} from '${apiDirectory}/${module.path}.ts';`);
}

/** `apps/v1` → `AppsV1Client`. */
function interfaceName(module: ApiModule, suffix: string): string {
  return pascalCase(getterName(module)) + suffix;
}

function moduleText({ kubernetes }: ApiModel, title: string, blocks: readonly Doc[]): string {
  const header = `// ${title} of Kubernetes ${kubernetes}. Written by \`npm run generate\`; do not edit.`;
  return `${print(join([hardline, hardline], [header, ...blocks]))}\n`;
}
