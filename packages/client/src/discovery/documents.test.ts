import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  parseApiGroupList,
  parseApiResourceList,
  parseApiVersions,
  parseVersionInfo,
} from './documents.ts';

const v1 = { groupVersion: 'v1', version: 'v1' };
const appsV1 = { groupVersion: 'apps/v1', version: 'v1' };
const appsV2 = { groupVersion: 'apps/v2', version: 'v2' };

describe('legacy discovery documents', () => {
  it('contain the versions of the core group', () => {
    const document = {
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '192.0.2.2:6443' }],
    };
    assert.deepEqual(parseApiVersions(document), [
      { name: '', versions: [v1], preferredVersion: v1 },
    ]);
    assert.deepEqual(parseApiVersions({ kind: 'APIVersions', versions: null }), []);
  });

  it('contain the groups, with the first version preferred if the server does not say', () => {
    const document = {
      kind: 'APIGroupList',
      groups: [
        { name: 'apps', versions: [appsV1, appsV2], preferredVersion: appsV2 },
        { name: 'old', versions: [{ groupVersion: 'old/v1', version: 'v1' }] },
        { name: 'empty', versions: null },
        { versions: [appsV1] },
      ],
    };
    assert.deepEqual(parseApiGroupList(document), [
      { name: 'apps', versions: [appsV1, appsV2], preferredVersion: appsV2 },
      {
        name: 'old',
        versions: [{ groupVersion: 'old/v1', version: 'v1' }],
        preferredVersion: { groupVersion: 'old/v1', version: 'v1' },
      },
      { name: 'empty', versions: [] },
    ]);
  });

  it('contain the resources, with unknown fields kept and missing ones filled in', () => {
    const pods = {
      name: 'pods',
      singularName: 'pod',
      namespaced: true,
      kind: 'Pod',
      verbs: ['get'],
      shortNames: ['po'],
      storageVersionHash: 'xPOwRZ+Yhw8=',
    };
    const document = {
      kind: 'APIResourceList',
      groupVersion: 'v1',
      resources: [pods, { name: 'things', kind: 'Thing', verbs: null }, { name: 'no kind' }, null],
    };
    assert.deepEqual(parseApiResourceList(document, 'v1'), {
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: 'v1',
      resources: [
        pods,
        { name: 'things', singularName: '', namespaced: false, kind: 'Thing', verbs: [] },
      ],
    });
  });

  it('contain the version', () => {
    const version = { major: '1', minor: '36', gitVersion: 'v1.36.4' };
    assert.equal(parseVersionInfo(version), version);
  });

  const refused: readonly (readonly [string, () => unknown])[] = [
    ['is not a JSON object', () => parseApiVersions('<html>')],
    ['is not a JSON object', () => parseApiGroupList([])],
    ['has no groups', () => parseApiGroupList({ hello: 'from a login page' })],
    ['has no resources', () => parseApiResourceList({ kind: 'APIVersions', versions: [] }, 'v1')],
    ['has groups that are not a list', () => parseApiGroupList({ groups: 'many' })],
    ['has no gitVersion', () => parseVersionInfo({ major: '1' })],
  ];
  for (const [problem, parse] of refused) {
    it(`are refused: ${problem}`, () => {
      assert.throws(parse, {
        code: 'DISCOVERY_DOCUMENT_INVALID',
        message: `the discovery document ${problem}`,
      });
    });
  }
});
