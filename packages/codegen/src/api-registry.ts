import { type ApiModule, apiDirectory, apiModules } from './api-modules.ts';
import { docComment } from './comment.ts';
import { bracketed, type Doc, hardline, indent, join, print } from './doc.ts';
import type { Generator } from './generator.ts';
import type { ApiModel } from './model.ts';
import { resourceVariable, stringLiteral } from './names.ts';

/**
 * Generates `client-ts/api/all`, which exports every built-in descriptor, and
 * `client-ts/api/meta/v1`, which exports the hand-written types of `meta/` under their usual path.
 */
export function apiRegistryGenerator(model: ApiModel): Generator {
  return {
    name: 'api registry',
    outputs: () =>
      new Map([
        [`${apiDirectory}/all.ts`, registryText(model)],
        [`${apiDirectory}/meta/v1.ts`, metaText(model)],
      ]),
  };
}

const registryComment =
  'The descriptors of every built-in resource, in the order in which a server lists its ' +
  'group-versions. Importing this loads them all; a program that knows its resources imports ' +
  '`client-ts/api/<group>/<version>` instead.';

const written = 'Written by `npm run generate`; do not edit.';

function metaText({ kubernetes }: ApiModel): string {
  return `// Kubernetes ${kubernetes}, meta/v1. ${written}\n\nexport type * from '../../meta/types.ts';\n`;
}

function registryText(model: ApiModel): string {
  const modules = apiModules(model);
  const sorted = modules.toSorted((left, right) => (left.path < right.path ? -1 : 1));
  const blocks: Doc[] = [
    `// Every built-in resource of Kubernetes ${model.kubernetes}. ${written}`,
    join(hardline, [
      "import type { ResourceDescriptor } from '../meta/resource.ts';",
      ...sorted.map((module) => `import * as ${namespaceOf(module)} from './${module.path}.ts';`),
    ]),
    [
      docComment(registryComment),
      'export const groupVersions: readonly {',
      indent(
        hardline,
        join(hardline, [
          'readonly group: string;',
          'readonly version: string;',
          'readonly resources: readonly ResourceDescriptor[];',
        ]),
      ),
      hardline,
      '}[] = [',
      indent(hardline, join(hardline, modules.map(groupVersionDoc))),
      hardline,
      '];',
    ],
  ];
  return `${print(join([hardline, hardline], blocks))}\n`;
}

function groupVersionDoc(module: ApiModule): Doc {
  const { group, version, resources } = module.groupVersion;
  const names = resources.map(
    ({ kind, resource }) => `${namespaceOf(module)}.${resourceVariable(kind, resource)}`,
  );
  const fields: Doc[] = [
    `group: ${stringLiteral(group)},`,
    `version: ${stringLiteral(version)},`,
    ['resources: ', bracketed('[', names, ']'), ','],
  ];
  return ['{', indent(hardline, join(hardline, fields)), hardline, '},'];
}

/** `apps/v1` → `appsV1`. */
function namespaceOf({ path }: ApiModule): string {
  return path.replace(/\/v/, 'V');
}
