import { apiVersionOf } from 'client-ts/meta';

import { type ApiModule, apiModules } from './api-modules.ts';
import { docComment } from './comment.ts';
import { resourceTemplate } from './descriptor.ts';
import { bracketed, type Doc, group, hardline, indent, join, print, softline } from './doc.ts';
import type { Generator } from './generator.ts';
import type { ApiModel, ModelResource } from './model.ts';
import { pascalCase, resourceVariable } from './names.ts';

const directory = 'packages/client/src/kubernetes/generated';

/** Where client-go's name for a group is not the folder that its types lie in. */
const groupNames: Readonly<Record<string, string>> = { apiserverinternal: 'internal' };

/**
 * The typed face of the `Clientset`: an interface for each group-version with a method for each
 * resource, and the getters that lead there. All code is in `kubernetes/`, written by hand.
 */
export function clientsetGenerator(model: ApiModel): Generator {
  return {
    name: 'clientset',
    owns: [directory],
    outputs: () =>
      new Map([
        [`${directory}/group-version-clients.ts`, clientsText(model)],
        [`${directory}/group-versions.ts`, gettersText(model)],
      ]),
  };
}

function headerOf({ kubernetes }: ApiModel, what: string): string {
  return `// ${what} of Kubernetes ${kubernetes}. Written by \`npm run generate\`; do not edit.`;
}

function clientsText(model: ApiModel): string {
  const modules = apiModules(model);
  return moduleText([
    headerOf(model, 'The clients of every group-version'),
    join(hardline, [
      ...importsOf(modules, 'import type * as'),
      "import type { ClusterResource, NamespacedResource } from '../group-client.ts';",
    ]),
    ...modules.map(interfaceDoc),
  ]);
}

function interfaceDoc(module: ApiModule): Doc {
  const { groupVersion } = module;
  const members = groupVersion.resources.map((resource) => memberDoc(module, resource));
  return [
    docComment(`The resources of \`${apiVersionOf(groupVersion)}\`.`),
    `export interface ${clientName(module)} {`,
    indent(hardline, join(hardline, members)),
    hardline,
    '}',
  ];
}

function memberDoc(module: ApiModule, facts: ModelResource): Doc {
  const { kind, resource, namespaced } = facts;
  const name = resourceVariable(kind, resource);
  const type = namespaced ? 'NamespacedResource' : 'ClusterResource';
  const argument = `typeof ${getterName(module)}.${name}`;
  return [
    docComment(`\`${resourceTemplate({ ...module.groupVersion, ...facts })}\``),
    `readonly ${name}: ${type}`,
    group('<', indent(softline, argument), softline, '>;'),
  ];
}

function gettersText(model: ApiModel): string {
  const modules = apiModules(model);
  const names = modules.map(clientName).toSorted();
  return moduleText([
    headerOf(model, 'The way to every group-version'),
    join(hardline, [
      ...importsOf(modules, 'import * as'),
      "import type { RESTClient } from '../../rest/rest-client.ts';",
      "import { groupClient } from '../group-client.ts';",
      [
        'import type {',
        indent(
          hardline,
          join(
            hardline,
            names.map((name) => `${name},`),
          ),
        ),
        hardline,
        "} from './group-version-clients.ts';",
      ],
    ]),
    [
      docComment('A getter for each group-version. Its client is made when it is first asked for.'),
      'export abstract class GroupVersions {',
      indent(
        hardline,
        docComment('What all of them send their requests with.'),
        'abstract readonly rest: RESTClient;',
        modules.map((module): Doc => [hardline, `#${getterName(module)}?: ${clientName(module)};`]),
        modules.map(getterDoc),
      ),
      hardline,
      '}',
    ],
  ]);
}

function getterDoc(module: ApiModule): Doc {
  const name = getterName(module);
  return [
    hardline,
    hardline,
    docComment(`\`${apiVersionOf(module.groupVersion)}\``),
    `get ${name}(): ${clientName(module)} {`,
    indent(
      hardline,
      group(
        `return (this.#${name} ??= groupClient`,
        bracketed('(', ['this.rest', name], ')'),
        ');',
      ),
    ),
    hardline,
    '}',
  ];
}

function importsOf(modules: readonly ApiModule[], keyword: string): string[] {
  return modules
    .toSorted((left, right) => (left.path < right.path ? -1 : 1))
    .map((module) => `${keyword} ${getterName(module)} from '../../api/${module.path}.ts';`);
}

/** `apps/v1` → `appsV1`, as client-go has it. */
function getterName({ path }: ApiModule): string {
  const [group = '', version = ''] = path.split('/');
  return (groupNames[group] ?? group) + pascalCase(version);
}

/** `apps/v1` → `AppsV1Client`. */
function clientName(module: ApiModule): string {
  return `${pascalCase(getterName(module))}Client`;
}

function moduleText(blocks: readonly Doc[]): string {
  return `${print(join([hardline, hardline], blocks))}\n`;
}
