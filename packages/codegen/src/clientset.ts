import { apiModules } from './api-modules.ts';
import { bracketed } from './doc.ts';
import type { Generator } from './generator.ts';
import { gettersText, importsOf, interfacesText, kindsText } from './group-getters.ts';
import type { ApiModel } from './model.ts';

const directory = 'packages/client/src/kubernetes/generated';

/**
 * Generates the types of the `Clientset`: an interface for each group-version with a method for each
 * resource, the getters for them, and the descriptors by kind. The implementation in `kubernetes/` is written by hand.
 */
export function clientsetGenerator(model: ApiModel): Generator {
  return {
    name: 'clientset',
    owns: [directory],
    outputs: () =>
      new Map([
        [`${directory}/built-in-kinds.ts`, kindsText(model, apiModules(model))],
        [`${directory}/group-version-clients.ts`, clientsText(model)],
        [`${directory}/group-versions.ts`, groupVersionsText(model)],
      ]),
  };
}

function clientsText(model: ApiModel): string {
  return interfacesText(model, apiModules(model), {
    title: 'The clients of every group-version',
    imports: ["import type { ClusterResource, NamespacedResource } from '../group-client.ts';"],
    suffix: 'Client',
    memberType: ({ namespaced }) => (namespaced ? 'NamespacedResource' : 'ClusterResource'),
  });
}

function groupVersionsText(model: ApiModel): string {
  const modules = apiModules(model);
  return gettersText(model, modules, {
    title: 'Getters for every group-version',
    imports: [
      ...importsOf(modules, 'import * as'),
      "import { GroupClients, groupOf } from '../group-client.ts';",
    ],
    suffix: 'Client',
    interfaces: './group-version-clients.ts',
    about: 'A getter for each group-version. Its client is created on first use.',
    declaration: 'abstract class GroupVersions extends GroupClients',
    members: [],
    isKept: true,
    make: (name) => ['groupOf', bracketed('(', ['this', name], ')')],
  });
}
