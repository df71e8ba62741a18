import { kebabCase, type Project } from './project.ts';

/** Returns the TypeScript files of a project, by path. */
export function sourceFiles(project: Project): Map<string, string> {
  const file = kebabCase(project.kind);
  return new Map([
    ...(project.isDeclared ? ([[`src/${project.module}`, declaration(project)]] as const) : []),
    [`src/${file}-controller.ts`, controller(project)],
    ['src/main.ts', main(project)],
    ...(project.isDeclared ? ([['src/write-crd.ts', writeCrd(project)]] as const) : []),
    [`test/${file}-controller.test.ts`, controllerTest(project)],
  ]);
}

function declaration({ group, version, kind, variable }: Project): string {
  return `import { conditionsSchema, defineResource } from 'client-ts/crd';
import type { ObjectOf } from 'client-ts/meta';

/** The custom resource. \`npm run manifests\` writes deploy/crd.yaml from this declaration. */
export const ${variable} = defineResource({
  group: '${group}',
  version: '${version}',
  kind: '${kind}',
  subresources: { status: {} },
  additionalPrinterColumns: [
    {
      name: 'Ready',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="Ready")].status',
    },
  ],
  schema: {
    type: 'object',
    required: ['spec'],
    properties: {
      spec: {
        type: 'object',
        required: ['content'],
        properties: {
          content: { type: 'string', minLength: 1, description: 'Text of the page.' },
        },
      },
      status: {
        type: 'object',
        properties: {
          observedGeneration: { type: 'integer', format: 'int64' },
          conditions: conditionsSchema,
        },
      },
    },
  },
});

export type ${kind} = ObjectOf<typeof ${variable}>;
`;
}

/** What the ConfigMap of an object contains. */
function configMapData({ isDeclared, hasSpec }: Project): string {
  if (isDeclared) return `'index.html': object.spec.content`;
  return hasSpec ? `spec: JSON.stringify(object.spec)` : `name: object.metadata.name`;
}

function controller(project: Project): string {
  const { kind, variable, module, hasConditions, scope } = project;
  const name = kebabCase(kind);
  const metadata =
    scope === 'Namespaced'
      ? `{ name: object.metadata.name }`
      : `{ name: object.metadata.name, namespace: 'default' }`;
  const condition = `
      await setCondition({
        type: 'Ready',
        status: 'True',
        reason: 'Applied',
        message: 'the ConfigMap is up to date',
      });`;
  return `import { configMaps } from 'client-ts/api/core/v1';
import type { Manager } from 'client-ts/controller';

import { ${variable} } from './${module}';

/**
 * Keeps a ConfigMap for each ${kind}. Replace it by what your objects stand for; what it reads and
 * writes must be allowed in deploy/rbac.yaml.
 */
export function add${kind}Controller(manager: Manager): void {
  manager.controller('${name}', {
    for: ${variable},
    owns: [configMaps],
    async reconcile(object, { apply${hasConditions ? ', setCondition' : ''} }) {
      // Server-side apply: sets namespace and owner, and writes nothing if nothing has changed.
      await apply(configMaps, {
        metadata: ${metadata},
        data: { ${configMapData(project)} },
      });${hasConditions ? condition : ''}
    },
  });
}
`;
}

function main({ name, kind }: Project): string {
  return `import { loadConfig } from 'client-ts';
import { Manager, shutdownSignal } from 'client-ts/controller';

import { add${kind}Controller } from './${kebabCase(kind)}-controller.ts';

const config = await loadConfig();
await using manager = new Manager(config, {
  leaderElection: { name: '${name}', namespace: config.namespace ?? 'default' },
  health: { port: 8081 },
  metrics: { port: 8080 },
  logger: console,
});
add${kind}Controller(manager);
await manager.run({ signal: shutdownSignal() });
`;
}

function writeCrd({ variable, module }: Project): string {
  return `import { writeFile } from 'node:fs/promises';
import { writeManifests } from 'client-ts/manifests';

import { ${variable} } from './${module}';

await writeFile('deploy/crd.yaml', writeManifests([${variable}.definition]));
`;
}

function controllerTest(project: Project): string {
  const { name, kind, variable, module, scope, hasConditions, isDeclared } = project;
  const file = kebabCase(kind);
  // Not part of the text, where the check of the layers would take it for an import of this file.
  const from = '../src';
  const namespace = scope === 'Namespaced' ? ", 'default'" : '';
  const condition = `
    await waitFor(objects, name, conditions.conditionTrue('Ready'));`;
  const yaml = `
  it('has the CRD of its declaration in deploy/crd.yaml', async () => {
    assert.deepEqual(
      await readManifestFiles('deploy/crd.yaml'),
      [${variable}.definition],
      'run npm run manifests',
    );
  });
`;
  return `import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { ApiServer } from '@client-ts/apiserver';
import { Clientset } from 'client-ts';
import { Manager } from 'client-ts/controller';
import { applyFile, readManifest, readManifestFiles } from 'client-ts/manifests';
import { compareRoles, RbacRecorder } from 'client-ts/rbac';
import { ${hasConditions ? 'conditions, ' : ''}waitFor } from 'client-ts/wait';

import { add${kind}Controller } from '${from}/${file}-controller.ts';
import { ${variable} } from '${from}/${module}';

describe('the ${file} controller', () => {
  // What is missing in deploy/rbac.yaml is in the log, and what waits for it ends with the test.
  const limits = { timeout: 60_000 };
  it('keeps a ConfigMap for each ${kind} under the rules of deploy/rbac.yaml', limits, async () => {
    await using server = await ApiServer.start({ authorization: 'rbac' });
    await using admin = new Clientset(server.config);
    const files = ['deploy/crd.yaml', 'deploy/rbac.yaml'];
    await applyFile(admin, files, { fieldManager: 'test' });
    const account = admin.coreV1.serviceAccounts('${name}');
    const { status } = await account.createToken('${name}');
    const config = { ...server.config, auth: { token: status?.token ?? '' } };

    const recorder = new RbacRecorder();
    await using manager = new Manager(recorder.record(config), {
      leaderElection: { name: '${name}', namespace: '${name}' },
    });
    add${kind}Controller(manager);
    const stop = new AbortController();
    const running = manager.run({ signal: stop.signal });

    const objects = admin.resource(${variable}${namespace});
    const example = readManifest(${variable}, await readFile('deploy/example.yaml', 'utf8'));
    const { metadata } = await objects.create(example);
    const { name } = metadata;
    const configMaps = admin.coreV1.configMaps('default');
    await waitFor(configMaps, name, (found) => found !== undefined);
    const [owner] = (await configMaps.get(name)).metadata.ownerReferences ?? [];
    assert.equal(owner?.uid, metadata.uid);${hasConditions ? condition : ''}

    stop.abort();
    await running;
    // A request needs a rule in deploy/rbac.yaml, and a rule needs a request.
    const shipped = await readManifestFiles('deploy/rbac.yaml');
    assert.deepEqual(compareRoles(shipped, recorder.permissions), { missing: [], excess: [] });
  });
${isDeclared ? yaml : ''}});
`;
}
