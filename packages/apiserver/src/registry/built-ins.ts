import type { Model } from '../schema/model.ts';
import type { BuiltIns } from './catalog.ts';
import { conversionFor, fieldLabelsFor, strategyFor } from './kinds/kinds.ts';
import type { ResourceInfo } from './resource.ts';
import { enabledVersions, type RuntimeConfig } from './runtime-config.ts';

/** By what makes a difference, so that servers of the same configuration share what is derived. */
const known = new Map<string, BuiltIns>();

/** Returns the built-in API: the resources of a model with the rules of their kinds. */
export function builtIns(model: Model, runtimeConfig: RuntimeConfig = {}): BuiltIns {
  const entries = Object.entries(runtimeConfig).sort(([left], [right]) => (left < right ? -1 : 1));
  const key = JSON.stringify([model.kubernetes, entries]);
  let found = known.get(key);
  if (found === undefined) known.set(key, (found = createBuiltIns(model, runtimeConfig)));
  return found;
}

function createBuiltIns(model: Model, runtimeConfig: RuntimeConfig): BuiltIns {
  const infos = new Map<string, readonly ResourceInfo[]>();
  return {
    model,
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
