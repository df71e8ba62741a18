import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

import { run } from '../run.ts';
import { testContext } from '../frame/test-context.ts';

let directory: string;
let out: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'client-ts-generate-'));
  out = join(directory, 'out');
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

function crd(kind: string, type = 'integer'): string {
  const plural = `${kind.toLowerCase()}s`;
  return `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${plural}.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: ${plural}, kind: ${kind} }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: { type: object, properties: { size: { type: ${type}, description: How big. } } }
`;
}

function file(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

test('generates modules from files, and prints their paths', async () => {
  const context = testContext({ readInput: () => Promise.resolve(crd('Third')) });
  const widgets = file('widgets.yaml', `${crd('Widget')}---\n${crd('Gadget')}`);
  const others = file('others.yaml', crd('Other'));
  assert.equal(
    await run(['generate', '--crd', widgets, others, '--crd', '-', '--out', out], context),
    0,
    context.errors.join('\n'),
  );
  assert.deepEqual(context.output, [join(out, 'example.com', 'v1.ts')]);
  const text = readFileSync(join(out, 'example.com/v1.ts'), 'utf8');
  for (const kind of ['Gadget', 'Other', 'Third', 'Widget']) {
    assert.match(text, new RegExp(`export interface ${kind} \\{`));
  }
  assert.match(text, /\/\*\* How big\. \*\/\n {2}size\?: number;/);
  assert.deepEqual(readdirSync(join(out, 'example.com')), ['v1.ts']);
});

test('reports every error, and writes nothing', async () => {
  const context = testContext();
  const good = file('good.yaml', crd('Widget'));
  const bad = file('bad.yaml', `${crd('Gadget', 'text')}---\nspec: {}`);
  assert.equal(await run(['generate', '--crd', good, bad, '--out', out], context), 1);
  const errors = context.errors.join('\n');
  assert.match(
    errors,
    /bad\.yaml:\d+ \(document 1\): spec\.versions\[0\].*\.size\.type: "text" is/,
  );
  assert.match(errors, /bad\.yaml:\d+ \(document 2\): kind: must be CustomResourceDefinition/);
  assert.ok(!readdirSync(directory).includes('out'));
});

test('skips empty documents and other kinds, with a note', async () => {
  const context = testContext();
  const pod = 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\n';
  const text = `---\n# A release manifest.\n---\n${crd('Widget')}---\n${pod}---\n\n---\n`;
  const release = file('release.yaml', text);
  assert.equal(await run(['generate', '--crd', release, '--out', out], context), 0);
  assert.deepEqual(context.output, [join(out, 'example.com', 'v1.ts')]);
  assert.deepEqual(context.errors, [`${release}: skipped a Pod`]);
});

test('a file without a definition is an error', async () => {
  const context = testContext();
  const pods = file('pods.yaml', 'apiVersion: v1\nkind: Pod\n');
  assert.equal(await run(['generate', '--crd', pods, '--out', out], context), 1);
  assert.match(context.errors.join('\n'), /holds no CustomResourceDefinition: only Pod/);
  assert.match(context.errors.join('\n'), /kubectl get crd NAME -o yaml/);
  assert.ok(!readdirSync(directory).includes('out'));
});

test('keeps the old files if it cannot write', async () => {
  const context = testContext();
  const module = join(out, 'example.com');
  // A directory is in the place of the module.
  mkdirSync(join(module, 'v1.ts'), { recursive: true });
  const widgets = file('widgets.yaml', crd('Widget'));
  assert.equal(await run(['generate', '--crd', widgets, '--out', out], context), 1);
  assert.match(context.errors.join('\n'), /cannot write to/);
  assert.deepEqual(readdirSync(module), ['v1.ts']);
});

test('reads a cluster through its kubeconfig', async (t) => {
  const answers: Record<string, object> = {
    '/apis': {
      groups: [{ name: 'example.com', versions: [{ groupVersion: 'example.com/v1' }] }],
    },
    '/openapi/v3': { paths: {} },
    '/apis/example.com/v1': {
      resources: [
        {
          name: 'widgets',
          singularName: 'widget',
          namespaced: true,
          kind: 'Widget',
          verbs: ['get'],
        },
      ],
    },
  };
  const server = createServer((request, response) => {
    const answer = answers[request.url?.replace('/prefix', '') ?? ''];
    response.statusCode = answer === undefined ? 404 : 200;
    response.end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const path = file(
    'config',
    `
current-context: here
contexts: [{ name: here, context: { cluster: local } }]
clusters: [{ name: local, cluster: { server: 'http://127.0.0.1:${port}/prefix/' } }]
`,
  );
  const context = testContext({ env: { KUBECONFIG: path } });
  assert.equal(
    await run(['generate', '--from-cluster', '--out', out], context),
    0,
    context.errorText(),
  );
  assert.deepEqual(context.output, [join(out, 'example.com', 'v1.ts')]);
  assert.match(context.errors.join('\n'), /Connecting to http:[^]*Reading example\.com\/v1/);
  assert.match(readFileSync(join(out, 'example.com/v1.ts'), 'utf8'), /export const widgets:/);
});
