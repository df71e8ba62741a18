import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { configMaps, type Secret } from '../api/core/v1.ts';
import { diffOf } from './diff.ts';
import { parseManifests, readManifest, writeManifests } from './manifest.ts';
import { readManifestFiles } from './read-manifests.ts';
import type { AppliedResult, Manifest } from './types.ts';

const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n';

function names(manifests: readonly Manifest[]): string[] {
  return manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
}

describe('parseManifests', () => {
  it('reads YAML of many documents and skips empty ones', () => {
    const text = `# only a comment\n---\n${map}---\n---\n${map.replace('name: a', 'name: b')}...\n`;
    assert.deepEqual(names(parseManifests(text)), ['ConfigMap a', 'ConfigMap b']);
    assert.deepEqual(parseManifests(''), []);
  });

  it('reads JSON, one object or several', () => {
    const json = (name: string): string =>
      JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name, labels: { a: '}"{' } } });
    assert.deepEqual(names(parseManifests(json('a'))), ['Pod a']);
    assert.deepEqual(names(parseManifests(`${json('a')}\n${json('b')} ${json('c')}\n`)), [
      'Pod a',
      'Pod b',
      'Pod c',
    ]);
    assert.deepEqual(names(parseManifests(`{apiVersion: v1, kind: Pod, metadata: {name: a}}`)), [
      'Pod a',
    ]);
  });

  it('flattens lists, and knows the kind of the items of a typed list', () => {
    const item = { metadata: { name: 'a' } };
    const list = { apiVersion: 'apps/v1', kind: 'DeploymentList', items: [item] };
    const outer = { apiVersion: 'v1', kind: 'List', items: [list] };
    const [found] = parseManifests(JSON.stringify(outer));
    assert.deepEqual(found, { apiVersion: 'apps/v1', kind: 'Deployment', ...item });
  });

  it('names the document and what is wrong with it, and quotes nothing', () => {
    const cases: [string, RegExp][] = [
      [`${map}---\nkind: Secret\nmetadata: {name: hunter2}`, /^document 2 of x has no apiVersion$/],
      ['apiVersion: v1\nmetadata: {name: hunter2}', /has no kind$/],
      ['apiVersion: v1\nkind: Secret', /has no metadata\.name in an object of kind Secret$/],
      ['hunter2', /^document 1 of x is not an object$/],
      ['a: b\na: hunter2', /is not YAML: a key is set twice$/],
      [
        'a:\n  - "hunter2',
        /^document 1 of x is not YAML: line \d: found unexpected end of stream$/,
      ],
    ];
    for (const [text, message] of cases) {
      assert.throws(
        () => parseManifests(text, { source: 'x' }),
        (error: Error & { code?: string }) => {
          assert.equal(error.code, 'MANIFESTS_INVALID');
          assert.match(error.message, message);
          assert.doesNotMatch(JSON.stringify([error.message, error.cause]), /hunter2/);
          return true;
        },
      );
    }
    const generated = 'apiVersion: v1\nkind: Pod\nmetadata: { generateName: a- }';
    assert.throws(() => parseManifests(generated), { hint: /generateName can be created/ });
  });

  it('reads one object under the type of its descriptor', () => {
    assert.equal(readManifest(configMaps, `${map}data: { a: b }`).data?.['a'], 'b');
    for (const text of ['', `${map}---\n${map}`, map.replace('ConfigMap', 'Secret')]) {
      assert.throws(() => readManifest(configMaps, text), { code: 'MANIFESTS_INVALID' });
    }
  });

  it('reads what writeManifests has written', () => {
    const stored = {
      metadata: { uid: 'u', resourceVersion: '3', generation: 1, name: 'a', managedFields: [] },
      data: { yes: 'no', number: '1', lines: 'a\nb\n' },
      kind: 'ConfigMap',
      apiVersion: 'v1',
      status: {},
    };
    const text = writeManifests([stored, stored]);
    assert.ok(text.startsWith('apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n'));
    const { apiVersion, kind, data } = stored;
    const expected = { apiVersion, kind, metadata: { name: 'a' }, data };
    assert.deepEqual(parseManifests(text), [expected, expected]);
  });
});

describe('readManifestFiles', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'manifests-'));
    await mkdir(join(folder, 'below'));
    const put = (path: string, name: string): Promise<void> =>
      writeFile(join(folder, path), map.replace('name: a', `name: ${name}`));
    await Promise.all([
      put('b.yml', 'b'),
      put('a.yaml', 'a'),
      put('below/c.json', 'c'),
      put('README.md', 'other'),
    ]);
  });

  after(() => rm(folder, { recursive: true }));

  it('reads files, and the files of folders in order', async () => {
    const flat = await readManifestFiles([folder, join(folder, 'README.md')]);
    assert.deepEqual(names(flat), ['ConfigMap a', 'ConfigMap b', 'ConfigMap other']);
    const deep = await readManifestFiles(folder, { recursive: true });
    assert.deepEqual(names(deep), ['ConfigMap a', 'ConfigMap b', 'ConfigMap c']);
  });

  it('refuses what is missing', async () => {
    const code = 'MANIFESTS_UNREADABLE';
    await assert.rejects(readManifestFiles(join(folder, 'none.yaml')), { code });
    await mkdir(join(folder, 'empty'));
    await assert.rejects(readManifestFiles(join(folder, 'empty')), { code });
  });
});

describe('diffOf', () => {
  it('masks the values of secrets, and shows which ones change', () => {
    const secret = (data: Record<string, string>): Secret => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's', namespace: 'shop', managedFields: [] },
      data,
    });
    const result = {
      before: secret({ kept: 'hunter1', changed: 'hunter2' }),
      after: secret({ kept: 'hunter1', changed: 'hunter3', added: 'hunter4' }),
    } as unknown as AppliedResult;
    assert.deepEqual(diffOf(result).split('\n'), [
      '--- live/v1.Secret.shop.s',
      '+++ merged/v1.Secret.shop.s',
      '@@ -1,6 +1,7 @@',
      ' apiVersion: v1',
      ' data:',
      '-  changed: "*** (before)"',
      '+  added: "***"',
      '+  changed: "*** (after)"',
      '   kept: "***"',
      ' kind: Secret',
      ' metadata:',
      '',
    ]);
  });
});
