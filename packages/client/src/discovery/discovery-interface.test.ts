import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { APIResource, APIResourceList } from '../meta/types.ts';
import {
  filteredBy,
  namespacedOf,
  preferredFirst,
  preferredOf,
  type ServerResources,
  supportsAllVerbs,
} from './discovery-interface.ts';
import type { APIGroup } from './documents.ts';

function resource(name: string, more: Partial<APIResource> = {}): APIResource {
  return { name, singularName: '', namespaced: true, kind: name, verbs: ['get', 'list'], ...more };
}

function list(groupVersion: string, ...resources: readonly APIResource[]): APIResourceList {
  return { groupVersion, resources: [...resources] };
}

function group(name: string, preferred: string, ...versions: readonly string[]): APIGroup {
  const all = versions.map((version) => ({ groupVersion: `${name}/${version}`, version }));
  const found = all.find(({ version }) => version === preferred);
  return { name, versions: all, ...(found !== undefined && { preferredVersion: found }) };
}

function names({ resources }: ServerResources): Record<string, string[]> {
  return Object.fromEntries(
    resources.map((each) => [each.groupVersion, each.resources.map(({ name }) => name)]),
  );
}

const failures = new Map([['c/v1', new Error('down')]]);
const all: ServerResources = {
  groups: [group('a', 'v1', 'v2', 'v1', 'v1beta1'), group('b', '', 'v1')],
  resources: [
    list('a/v2', resource('both'), resource('new'), resource('new/status')),
    list('a/v1', resource('both'), resource('both/status'), resource('old')),
    list('a/v1beta1', resource('both'), resource('old'), resource('oldest')),
    list('b/v1', resource('nodes', { namespaced: false, verbs: ['get'] })),
  ],
  failures,
};

describe('resources of a server', () => {
  it('are preferred in one version each, without subresources', () => {
    const preferred = preferredOf(all);
    assert.deepEqual(names(preferred), {
      'a/v2': ['new'],
      'a/v1': ['both', 'old'],
      'a/v1beta1': ['oldest'],
      'b/v1': ['nodes'],
    });
    assert.equal(preferred.failures, failures);
    assert.equal(preferred.groups, all.groups);
  });

  it('leave out lists that have nothing preferred', () => {
    const only = { ...all, resources: [list('a/v1', resource('x')), list('a/v2', resource('x'))] };
    assert.deepEqual(names(preferredOf(only)), { 'a/v1': ['x'] });
  });

  it('can be those of namespaces only', () => {
    assert.deepEqual(Object.keys(names(namespacedOf(all))), ['a/v2', 'a/v1', 'a/v1beta1']);
  });

  it('can be filtered by verb', () => {
    const listable = filteredBy(all.resources, supportsAllVerbs(['get', 'list']));
    assert.equal(
      listable.some(({ groupVersion }) => groupVersion === 'b/v1'),
      false,
    );
    assert.equal(listable.length, 3);
  });

  it('have their versions ordered by preference', () => {
    assert.deepEqual(
      preferredFirst(group('a', 'v1', 'v2', 'v1', 'v3')).map(({ version }) => version),
      ['v1', 'v2', 'v3'],
    );
    assert.deepEqual(
      preferredFirst(group('a', 'nope', 'v2', 'v1')).map(({ version }) => version),
      ['v2', 'v1'],
    );
  });
});
