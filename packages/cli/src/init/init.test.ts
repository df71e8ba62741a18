/** Creates projects and runs `npm test` in them, with the packages of this workspace. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { readYaml } from 'client-ts/yaml';

import { type TestContext, testContext } from '../frame/test-context.ts';
import { versionOfCommand } from '../frame/version.ts';
import { run } from '../run.ts';

const workspace = fileURLToPath(new URL('../../../../', import.meta.url));
const widgets = join(workspace, 'packages/codegen/testdata/widgets.yaml');

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'client-ts-init-'));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

async function init(args: readonly string[]): Promise<TestContext & { readonly code: number }> {
  const context = testContext({ workingDirectory: directory });
  const code = await run(['init', ...args], context);
  return { ...context, code };
}

function read(...path: string[]): string {
  return readFileSync(join(directory, ...path), 'utf8');
}

/** Runs `npm test` in a project and returns what it printed. Rejects if it fails. */
async function npmTest(name: string): Promise<string> {
  const project = join(directory, name);
  symlinkSync(join(workspace, 'node_modules'), join(project, 'node_modules'));
  const { NODE_TEST_CONTEXT: _inherited, ...environment } = process.env;
  const path = [dirname(process.execPath), environment['PATH'] ?? ''].join(delimiter);
  const { stdout } = await promisify(execFile)('npm', ['test'], {
    cwd: project,
    env: { ...environment, PATH: path },
  });
  return stdout;
}

describe('client-ts init', () => {
  it('creates a project whose tests pass, from a declaration in TypeScript', async () => {
    const { code, output, errors } = await init(['site-operator', '--group', 'sites.example.com']);
    assert.equal(code, 0, errors.join('\n'));
    assert.deepEqual(output, [
      'site-operator/package.json',
      'site-operator/tsconfig.json',
      'site-operator/.gitignore',
      'site-operator/.dockerignore',
      'site-operator/Dockerfile',
      'site-operator/README.md',
      'site-operator/src/site.ts',
      'site-operator/src/site-controller.ts',
      'site-operator/src/main.ts',
      'site-operator/src/write-crd.ts',
      'site-operator/test/site-controller.test.ts',
      'site-operator/deploy/crd.yaml',
      'site-operator/deploy/rbac.yaml',
      'site-operator/deploy/deployment.yaml',
      'site-operator/deploy/example.yaml',
    ]);
    assert.match(errors.join('\n'), /cd site-operator\n {2}npm install\n {2}npm test/);
    assert.match(errors.join('\n'), /remove site-operator and create it again with --packages/);
    const printed = await npmTest('site-operator');
    assert.match(printed, /keeps a ConfigMap for each Site/);
    assert.match(printed, /has the CRD of its declaration/);
    assert.match(printed, /fail 0/);
  });

  it('creates a project whose tests pass, from a definition in YAML', async () => {
    // The example object fits types and bounds; rules in CEL are for its author to satisfy.
    const definition = join(directory, 'widgets.yaml');
    const text = readFileSync(widgets, 'utf8').replace(
      'self.size > self.replicas',
      'self.size > 0.0',
    );
    writeFileSync(definition, text);
    const { code, errors } = await init(['widgets', '--crd', definition, '--kind', 'Widget']);
    assert.equal(code, 0, errors.join('\n'));
    assert.match(read('widgets', 'src/api/example.com/v1.ts'), /export const widgets:/);
    const printed = await npmTest('widgets');
    assert.match(printed, /keeps a ConfigMap for each Widget/);
    assert.match(printed, /fail 0/);
  });

  it('refuses a directory that is not empty', async () => {
    mkdirSync(join(directory, 'taken'));
    writeFileSync(join(directory, 'taken', 'notes.txt'), 'mine');
    const { code, errors } = await init(['taken']);
    assert.equal(code, 1);
    assert.match(errors.join('\n'), /taken exists and is not empty/);
    assert.ok(!existsSync(join(directory, 'taken', 'package.json')));
  });

  const refusals: readonly [readonly string[], RegExp][] = [
    [['Site_Operator'], /Site_Operator: a lowercase RFC 1123 label/],
    [['../elsewhere'], /a lowercase RFC 1123 label/],
    [['site', '--group', 'example'], /--group: "example" must be a domain with a dot/],
    [['site', '--version', 'V1'], /--version: a DNS-1035 label/],
    [['site', '--kind', 'site'], /--kind site: must be letters and digits, first a capital/],
    [['site', '--crd', widgets], /several kinds, .*Widget.*: choose one with --kind/],
    [['site', '--crd', widgets, '--kind', 'Site'], /--kind Site: --crd has only .*Widget/],
    [['site', '--crd', widgets, '--group', 'a.b'], /--group cannot be used with --crd/],
    [['site', '--crd', 'missing.yaml'], /cannot read missing\.yaml/],
    [['site', '--packages', '.'], /cannot read .*client-ts-\d.*\.tgz/],
    [[], /NAME/],
  ];
  for (const [args, message] of refusals) {
    it(`refuses ${args.join(' ').replaceAll(directory, '') || 'no name'}, and writes nothing`, async () => {
      const { code, errors } = await init(args);
      assert.notEqual(code, 0);
      assert.match(errors.join('\n'), message);
      assert.ok(!existsSync(join(directory, 'site')));
    });
  }

  it('takes the packages from a directory on request', async () => {
    const version = await versionOfCommand();
    mkdirSync(join(directory, 'packed'));
    for (const name of ['client-ts', 'client-ts-apiserver']) {
      writeFileSync(join(directory, 'packed', `${name}-${version}.tgz`), '');
    }
    const { code, errors } = await init(['site', '--packages', 'packed']);
    assert.equal(code, 0, errors.join('\n'));
    assert.doesNotMatch(errors.join('\n'), /create the project again/);
    const manifest = JSON.parse(read('site', 'package.json')) as Record<string, unknown>;
    assert.deepEqual(manifest['dependencies'], {
      'client-ts': `file:../packed/client-ts-${version}.tgz`,
    });
  });

  it('says which fields of the example a pattern refuses', async () => {
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'zones.example.com', resourceVersion: '7', uid: 'x' },
      spec: {
        group: 'example.com',
        scope: 'Cluster',
        names: { kind: 'Zone', plural: 'zones' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  spec: {
                    type: 'object',
                    required: ['code', 'size', 'kinds'],
                    properties: {
                      code: { type: 'string', pattern: '^[A-Z]{3}$' },
                      size: { type: 'integer', minimum: 3 },
                      kinds: { type: 'array', minItems: 1, items: { enum: ['A'], type: 'string' } },
                    },
                  },
                },
              },
            },
          },
        ],
      },
    };
    writeFileSync(join(directory, 'zones.json'), JSON.stringify(definition));
    const { code, errors } = await init(['zone-operator', '--crd', 'zones.json']);
    assert.equal(code, 0, errors.join('\n'));
    assert.match(errors.join('\n'), /example\.yaml: spec\.code must match the pattern "\^\[A-Z\]/);
    assert.deepEqual(readYaml(read('zone-operator', 'deploy/example.yaml')), {
      apiVersion: 'example.com/v1',
      kind: 'Zone',
      metadata: { name: 'example' },
      spec: { code: 'example', size: 3, kinds: ['A'] },
    });
    assert.doesNotMatch(read('zone-operator', 'deploy/crd.yaml'), /resourceVersion|uid/);
  });
});
