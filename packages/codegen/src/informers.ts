import { type ApiModule, apiModules } from './api-modules.ts';
import { bracketed } from './doc.ts';
import type { Generator } from './generator.ts';
import { gettersText, interfacesText } from './group-getters.ts';
import type { ApiModel, ModelResource } from './model.ts';

const directory = 'packages/client/src/informers/generated';

/**
 * Generates the types of the `SharedInformerFactory`: like those of the `Clientset`, for resources
 * that can be listed and watched. The modules of the API are imported for their types only.
 */
export function informersGenerator(model: ApiModel): Generator {
  return {
    name: 'informers',
    owns: [directory],
    outputs: () =>
      new Map([
        [`${directory}/group-version-getters.ts`, getterTypesText(model)],
        [`${directory}/group-version-informers.ts`, groupVersionsText(model)],
      ]),
  };
}

function getterTypesText(model: ApiModel): string {
  return interfacesText(model, informedModules(model), {
    title: 'The informers of every group-version',
    imports: ["import type { InformerGetter } from '../typed-informer-factory.ts';"],
    suffix: 'Informers',
    memberType: (resource) => (isInformed(resource) ? 'InformerGetter' : undefined),
  });
}

function groupVersionsText(model: ApiModel): string {
  return gettersText(model, informedModules(model), {
    title: 'Getters for the informers of every group-version',
    imports: ["import { TypedInformerFactory } from '../typed-informer-factory.ts';"],
    suffix: 'Informers',
    interfaces: './group-version-getters.ts',
    about: 'A getter for each group-version. Its informers are created on first use.',
    declaration: 'abstract class GroupVersionInformers extends TypedInformerFactory',
    members: [],
    make: (name) => ['this.group', bracketed('(', [`this.client.${name}`], ')')],
  });
}

/** Returns the modules with resources that can be listed and watched. */
function informedModules(model: ApiModel): ApiModule[] {
  return apiModules(model).filter(({ groupVersion }) => groupVersion.resources.some(isInformed));
}

function isInformed({ verbs }: ModelResource): boolean {
  return verbs.includes('list') && verbs.includes('watch');
}
