import { apiVersionOf } from 'client-ts/meta';

import type { BuiltIns } from '../registry/catalog.ts';
import { canonicalObject } from '../schema/decode.ts';
import { DEFAULT_VERSION, KUBERNETES_VERSIONS, type KubernetesVersion } from '../schema/release.ts';
import { DataError } from '../store/data-error.ts';
import type { DurableStore, StoredRevision, StoredState } from '../store/durable-store.ts';
import type { StoredObject } from '../store/store.ts';

/** The setting that has the release of the cluster. Stores without it are from before it existed. */
export const RELEASE = 'kubernetes';

/**
 * Brings the objects of an older release into the form of this one: objects get the version that
 * the release stores them in, and lose fields that it does not have. Like every other write, each
 * change has a revision and can be watched. All of it is committed in one step; without a change,
 * only the new release is noted.
 *
 * @throws {DataError} if the cluster is of a newer release: that may have what this one lacks.
 */
export async function upgradeState(
  durable: DurableStore,
  state: StoredState,
  { version, builtIns }: { readonly version: KubernetesVersion; readonly builtIns: () => BuiltIns },
): Promise<StoredState> {
  const { revision: newest, settings } = state;
  const stored = settings[RELEASE] ?? (newest === undefined ? version : DEFAULT_VERSION);
  if (stored === version) return state;
  if (rank(stored) > rank(version)) {
    throw new DataError(
      'APISERVER_DATA_RELEASE',
      `the cluster is of Kubernetes ${stored}, the server of ${version}`,
    );
  }
  const kept: StoredRevision[] = [];
  for await (const write of state.revisions) kept.push(write);
  const changed = upgraded(kept, newest ?? 0, builtIns());
  const noted = { [RELEASE]: version };
  await durable.commit({ revisions: changed, compactions: [], settings: noted });
  return {
    ...state,
    settings: { ...settings, ...noted },
    revision: changed.at(-1)?.revision ?? newest,
    revisions: [...kept, ...changed],
  };
}

/** Releases that this server does not offer are newer than those that it does. */
function rank(version: string): number {
  const index = KUBERNETES_VERSIONS.findIndex((known) => known === version);
  return index === -1 ? KUBERNETES_VERSIONS.length : index;
}

function upgraded(
  kept: readonly StoredRevision[],
  newest: number,
  builtIns: BuiltIns,
): StoredRevision[] {
  const latest = new Map(kept.map((write) => [write.key, write]));
  const changed: StoredRevision[] = [];
  for (const { key, value, revision, createRevision } of latest.values()) {
    if (value === undefined) continue;
    const object = upgradedObject(key, JSON.parse(value) as StoredObject, builtIns);
    if (object === undefined || JSON.stringify(object) === value) continue;
    const next = newest + changed.length + 1;
    const metadata = { ...object.metadata, resourceVersion: String(next) };
    changed.push({
      revision: next,
      key,
      value: JSON.stringify({ ...object, metadata }),
      createRevision,
      previousRevision: revision,
    });
  }
  return changed;
}

/** Returns undefined for custom resources, and for what the release does not serve. */
function upgradedObject(
  key: string,
  object: StoredObject,
  { groupVersions, resources }: BuiltIns,
): StoredObject | undefined {
  const [, group = '', resource] = key.split('/');
  for (const candidate of groupVersions) {
    if (candidate.group !== group) continue;
    const info = resources(group, candidate.version).find((one) => one.resource === resource);
    if (info === undefined) continue;
    return canonicalObject(info.schema, { ...object, apiVersion: apiVersionOf(candidate) });
  }
  return undefined;
}
