import assert from 'node:assert/strict';

import { RESTMapper } from 'client-ts/discovery';
import { Clientset } from 'client-ts/kubernetes';
import { applyObjects, type Manifest } from 'client-ts/manifests';
import { RESTClient } from 'client-ts/rest';

import type { TestCli } from './test-cli.ts';

/** For tests: creates objects with their status, and inserts the UIDs of earlier ones. */
export async function load(
  { server }: TestCli,
  manifests: readonly Manifest[],
): Promise<Map<string, string>> {
  const rest = RESTClient.over(server.transport(), { onWarning: () => undefined });
  await using mapper = new RESTMapper(rest);
  const uids = new Map<string, string>();
  for (const manifest of manifests) {
    const text = JSON.stringify(manifest).replaceAll(
      /uid\((.*?)\)/g,
      (_, object: string) => uids.get(object) ?? assert.fail(`no ${object} before`),
    );
    const object = JSON.parse(text) as Manifest;
    const { kind, metadata, status } = object;
    const [result] = await applyObjects({ rest, mapper }, [object], { fieldManager: 'test' });
    assert.ok(result !== undefined && 'after' in result);
    uids.set(`${kind}/${metadata.name}`, result.after.metadata.uid);
    if (status === undefined) continue;
    const client = await new Clientset(rest).for(object);
    await client.patchStatus(metadata.name, { status }, { type: 'merge' });
  }
  return uids;
}
