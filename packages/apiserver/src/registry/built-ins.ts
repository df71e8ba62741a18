import { loadModel } from '../schema/model.ts';
import type { BuiltIns } from './catalog.ts';
import { conversionFor, fieldLabelsFor, strategyFor } from './kinds/kinds.ts';
import type { ResourceInfo } from './resource.ts';
import { enabledVersions, type RuntimeConfig } from './runtime-config.ts';

/** By what makes a difference, so that servers of the same configuration share what is derived. */
const known = new Map<string, BuiltIns>();

/** Returns the built-in API: the resources of the model with the rules of their kinds. */
export function builtIns(runtimeConfig: RuntimeConfig = {}): BuiltIns {
  const key = JSON.stringify(
    Object.entries(runtimeConfig).sort(([left], [right]) => (left < right ? -1 : 1)),
  );
  let found = known.get(key);
  if (found === undefined) known.set(key, (found = createBuiltIns(runtimeConfig)));
  return found;
}

function createBuiltIns(runtimeConfig: RuntimeConfig): BuiltIns {
  const model = loadModel();
  const infos = new Map<string, readonly ResourceInfo[]>();
  return {
    groupVersions: enabledVersions(model.groupVersions, runtimeConfig),
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
