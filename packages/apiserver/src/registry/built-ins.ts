import { isStableVersion, loadModel } from '../schema/model.ts';
import type { BuiltIns } from './catalog.ts';
import { conversionFor, fieldLabelsFor, strategyFor } from './kinds/kinds.ts';
import type { ResourceInfo } from './resource.ts';

/** Returns the built-in API: the resources of the model with the rules of their kinds. */
export function builtIns(versions: 'all' | 'stable'): BuiltIns {
  const model = loadModel();
  const infos = new Map<string, readonly ResourceInfo[]>();
  return {
    groupVersions: model.groupVersions.filter(
      ({ version }) => versions === 'all' || isStableVersion(version),
    ),
    resources: (group, version) => {
      const key = `${group}/${version}`;
      let found = infos.get(key);
      if (found === undefined) infos.set(key, (found = model.resources(group, version)));
      return found;
    },
    strategyFor,
    fieldLabelsFor,
    conversionFor,
  };
}
