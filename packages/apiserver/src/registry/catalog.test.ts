import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CustomResourceDefinition } from 'client-ts/api/apiextensions/v1';
import { seededRandom } from 'client-ts/internal';
import { apiVersionOf } from 'client-ts/meta';

import { loadModel } from '../schema/model.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { unusedWebhookClient } from '../testing/test-webhook.ts';
import { builtIns } from './built-ins.ts';
import { Catalog } from './catalog.ts';
import { type CustomResource, customResource } from './custom-resource.ts';

const store = new MemoryStore();

function catalog(versions: 'all' | 'stable' = 'all'): Catalog {
  return new Catalog(
    store,
    builtIns(loadModel(), { 'api/all': versions === 'all', 'api/ga': true }),
  );
}

/** Returns a custom resource whose first version is the storage version. */
function custom(
  group: string,
  plural: string,
  versions: string[],
  served = versions,
): CustomResource {
  const kind = plural.charAt(0).toUpperCase() + plural.slice(1, -1);
  const definition: CustomResourceDefinition = {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind, listKind: `${kind}List`, singular: kind.toLowerCase() },
      versions: versions.map((name, index) => ({
        name,
        served: served.includes(name),
        storage: index === 0,
        schema: { openAPIV3Schema: { type: 'object' } },
      })),
    },
  };
  const cluster = { store, random: seededRandom(1), webhooks: unusedWebhookClient() };
  return customResource(definition, cluster, new AbortController().signal);
}

function versionsOf(groups: Catalog, group: string): string[] {
  return groups
    .groupVersions()
    .filter((groupVersion) => groupVersion.group === group)
    .map(({ version }) => version);
}

describe('Catalog of built-in resources', () => {
  it('finds resources by group, version and plural', () => {
    const all = catalog();
    const pods = all.served('', 'v1', 'pods');
    assert.equal(pods?.info.kind, 'Pod');
    assert.equal(all.served('', 'v1', 'nope'), undefined);
    assert.equal(all.served('apps', 'v1', 'pods'), undefined);
    assert.equal(all.registryOfKind('', 'v1', 'Pod'), pods?.registry);
    assert.equal(all.registryOfKind('', 'v2', 'Pod'), undefined);
    assert.ok(all.resources('apps', 'v1').some(({ resource }) => resource === 'deployments'));
    assert.deepEqual(all.resources('nope', 'v1'), []);
  });

  it('has one registry for all versions of a resource, and lists each once', () => {
    const all = catalog();
    const scalers = (version: string): unknown =>
      all.served('autoscaling', version, 'horizontalpodautoscalers')?.registry;
    assert.equal(scalers('v1'), scalers('v2'));
    const registries = [...all.registries()];
    assert.equal(new Set(registries).size, registries.length);
    assert.equal(
      registries.filter(({ resource }) => resource === 'horizontalpodautoscalers').length,
      1,
    );
  });

  it('stores events of both groups in one place', () => {
    const all = catalog();
    const core = all.served('', 'v1', 'events');
    const grouped = all.served('events.k8s.io', 'v1', 'events');
    assert.equal(grouped?.registry, core?.registry);
    assert.equal(all.registry('events.k8s.io', 'events'), undefined);
    assert.ok(core?.uncached && grouped?.uncached);
    assert.equal(core?.conversion, undefined);
    assert.ok(grouped?.conversion);
  });

  it('stores the first version that it serves', () => {
    const all = catalog();
    for (const { group, version } of all.groupVersions()) {
      for (const info of all.resources(group, version)) {
        const storedAs = all.storageVersion(info);
        const { conversion } = all.served(group, version, info.resource) ?? {};
        if (conversion === undefined) assert.equal(storedAs, apiVersionOf(info));
      }
    }
  });

  it('can leave out unstable versions', () => {
    const versions = catalog('stable')
      .groupVersions()
      .map(({ version }) => version);
    assert.ok(versions.every((version) => /^v\d+$/.test(version)));
    assert.ok(versions.length < catalog().groupVersions().length);
  });
});

describe('Catalog of custom resources', () => {
  it('adds, replaces and removes them, and counts the changes', () => {
    const all = catalog();
    const before = all.generation;
    assert.ok(all.isCustomGroup('example.com'));
    all.setCustom(custom('example.com', 'widgets', ['v1']));
    assert.equal(all.generation, before + 1);
    assert.ok(all.hasGroupVersion('example.com', 'v1'));
    assert.equal(all.served('example.com', 'v1', 'widgets')?.info.kind, 'Widget');

    all.setCustom(custom('example.com', 'widgets', ['v2', 'v3']));
    assert.equal(all.generation, before + 2);
    assert.equal(all.served('example.com', 'v1', 'widgets'), undefined);
    assert.ok(!all.hasGroupVersion('example.com', 'v1'));
    assert.deepEqual(versionsOf(all, 'example.com'), ['v3', 'v2']);

    all.removeCustom('widgets.example.com');
    assert.equal(all.generation, before + 3);
    assert.equal(all.registry('example.com', 'widgets'), undefined);
    assert.deepEqual(versionsOf(all, 'example.com'), []);
    all.removeCustom('widgets.example.com');
    assert.equal(all.generation, before + 3);
  });

  it('keeps the siblings of a removed resource', () => {
    const all = catalog();
    all.setCustom(custom('example.com', 'widgets', ['v1']));
    all.setCustom(custom('example.com', 'gadgets', ['v1']));
    all.removeCustom('widgets.example.com');
    assert.deepEqual(
      all.resources('example.com', 'v1').map(({ resource }) => resource),
      ['gadgets'],
    );
  });

  it('lists their groups after the built-in ones, by name, with versions by preference', () => {
    const all = catalog();
    const own = all.groupVersions().length;
    all.setCustom(custom('z.example.com', 'widgets', ['v1beta1']));
    all.setCustom(custom('a.example.com', 'widgets', ['v1alpha1', 'v2']));
    all.setCustom(custom('z.example.com', 'gadgets', ['v1', 'v1beta1']));
    assert.deepEqual(all.groupVersions().slice(own).map(apiVersionOf), [
      'a.example.com/v2',
      'a.example.com/v1alpha1',
      'z.example.com/v1',
      'z.example.com/v1beta1',
    ]);
  });

  it('works on the storage version, served or not', () => {
    const all = catalog();
    all.setCustom(custom('example.com', 'widgets', ['v1', 'v2'], ['v2']));
    const registry = all.registry('example.com', 'widgets');
    const served = all.served('example.com', 'v2', 'widgets');
    assert.notEqual(registry, served?.registry);
    assert.equal(all.registryOfKind('example.com', 'v2', 'Widget'), registry);
    assert.equal(served && all.storageVersion(served.info), 'example.com/v1');
    assert.equal([...all.registries()].filter(({ group }) => group === 'example.com').length, 1);
  });
});
