import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import { SqliteSink } from '@client-ts/collector';
import { anEvent, at, folder, hasSqlite } from './test-events.ts';
import { printableLines } from './frame/printable.ts';
import { testContext, TestOutput } from './frame/test-context.ts';
import { run } from './run.ts';

/** Moves the cursor, rings the bell, overwrites text, and changes the text direction. */
const hostile = '\u001B[2Jx\u0007\b\u009B31m\u202Eevil\u2066\u0085';

/** A server that returns this wherever it can. */
function answerTo(path: string): object {
  const metadata = { name: hostile, namespace: hostile, labels: { app: hostile }, uid: 'u' };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { nodeName: hostile } };
  if (path === '/version') return { gitVersion: hostile, major: '1', minor: '36' };
  if (path === '/api') return { kind: 'APIVersions', versions: ['v1'] };
  if (path === '/apis') {
    const versions = [{ groupVersion: `${hostile}/v1`, version: 'v1' }];
    return { groups: [{ name: hostile, versions, preferredVersion: versions[0] }] };
  }
  if (path === '/api/v1') {
    const common = { namespaced: true, verbs: ['get', 'list', 'watch'] };
    const pods = { name: 'pods', singularName: 'pod', kind: 'Pod', ...common };
    const odd = { name: hostile, singularName: hostile, kind: hostile, shortNames: [hostile] };
    return { groupVersion: 'v1', resources: [pods, { ...odd, ...common, categories: [hostile] }] };
  }
  if (path === '/openapi/v3') {
    return { paths: { 'api/v1': { serverRelativeURL: '/openapi/v3/api/v1' } } };
  }
  if (path === '/openapi/v3/api/v1') {
    const kind = { group: '', version: 'v1', kind: 'Pod' };
    const field = { type: hostile, description: hostile, enum: [hostile] };
    const schema = {
      'x-kubernetes-group-version-kind': [kind],
      description: hostile,
      externalDocs: { description: hostile, url: hostile },
      properties: { [hostile]: field, name: field },
    };
    const get = { 'x-kubernetes-group-version-kind': kind };
    return { paths: { '/api/v1/pods': { get } }, components: { schemas: { pod: schema } } };
  }
  if (path.endsWith('/pods')) {
    return { apiVersion: 'v1', kind: 'PodList', metadata: { resourceVersion: '1' }, items: [pod] };
  }
  if (path.endsWith('/pods/table')) {
    return {
      kind: 'Table',
      columnDefinitions: [{ name: hostile, type: 'string' }],
      rows: [{ cells: [hostile] }],
    };
  }
  const message = `cannot find ${hostile}`;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    message,
    reason: 'NotFound',
    code: 404,
  };
}

async function hostileServer(t: TestContext): Promise<string> {
  const server: Server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const isTable = pathname.endsWith('/pods') && (request.headers.accept ?? '').includes('Table');
    const answer = answerTo(isTable ? `${pathname}/table` : pathname);
    const isFailure = 'code' in answer;
    response.setHeader('warning', `299 - "${hostile.replaceAll(/[^\u0020-\u007E]/g, '?')}"`);
    response.writeHead(isFailure ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const commandLines: readonly (readonly string[])[] = [
  ['get', 'pods'],
  ['get', 'pods', '-A', '--show-labels', '-L', 'app', '-o', 'wide'],
  ...[
    'name',
    'json',
    'yaml',
    'jsonpath={.items[*].metadata.name}',
    'custom-columns=N:.metadata.name',
  ].map((format) => ['get', 'pods', '-o', format]),
  ['get', 'pods', 'missing'],
  ['get', 'nothing'],
  // Suggests a name from the server.
  ['get', hostile.slice(1)],
  ['api-resources'],
  ...['name', 'json', 'yaml', 'wide'].map((format) => ['api-resources', '-o', format]),
  ['api-versions'],
  ['describe', 'pods'],
  ['describe', 'pods', '--show-events'],
  ['describe', 'pods', 'missing'],
  ['explain', 'pods'],
  ['explain', 'pods', '--recursive'],
  ['explain', 'pods.name'],
  ['version'],
  ['version', '-o', 'json'],
  ['version', '-o', 'yaml'],
];

describe('a terminal', () => {
  for (const args of commandLines) {
    it(`receives no sequence of a server from ${printableLines(args.join(' '))}`, async (t) => {
      const server = await hostileServer(t);
      const workingDirectory = await folder(t);
      const stdout = new TestOutput({ isTTY: true, colors: false });
      const context = testContext({
        stdout,
        workingDirectory,
        homeDirectory: workingDirectory,
        env: { KUBECACHEDIR: join(workingDirectory, 'cache'), KUBECONFIG: '/dev/null' },
      });
      await run([...args, '--server', server], context);
      const text = stdout.text + context.errorText();
      assert.equal(text, printableLines(text));
      assert.match(text, /evil|doesn't have|missing|nothing/, 'the server has had its say');
    });
  }

  it('prints JSON and YAML with unchanged values', async (t) => {
    const server = await hostileServer(t);
    const context = testContext({
      homeDirectory: await folder(t),
      env: { KUBECONFIG: '/dev/null' },
    });
    await run(['get', 'pods', '-o', 'json', '--server', server], context);
    const { items } = JSON.parse(context.text()) as { items: { metadata: { name: string } }[] };
    assert.equal(items[0]?.metadata.name, hostile);
  });

  it('does not affect programs: -o jsonpath and -o name are unchanged', async (t) => {
    const server = await hostileServer(t);
    for (const [format, text] of [
      ['jsonpath={.items[0].metadata.name}', hostile],
      ['name', `pod/${hostile}\n`],
    ] as const) {
      const context = testContext({
        homeDirectory: await folder(t),
        env: { KUBECONFIG: '/dev/null' },
      });
      await run(['get', 'pods', '-o', format, '--server', server], context);
      assert.equal(context.text(), text);
    }
  });
});

describe('events on a terminal', { skip: hasSqlite ? false : 'needs Node 22.16' }, () => {
  for (const format of ['table', 'wide', 'json', 'ndjson']) {
    it(`have no sequence of their authors with -o ${format}`, async (t) => {
      const workingDirectory = await folder(t);
      await using sink = new SqliteSink({ path: join(workingDirectory, 'events.db') });
      const event = anEvent(1, {
        namespace: hostile,
        type: hostile,
        reason: hostile,
        message: hostile,
        component: hostile,
        object: { kind: hostile, name: hostile },
      });
      await sink.write([event], at(1));
      await sink.recordGap({ from: undefined, to: event.lastSeen, reason: hostile });
      const context = testContext({ workingDirectory });
      assert.equal(await run(['events', '-o', format], context), 0);
      const text = context.text() + context.errorText();
      assert.equal(text, printableLines(text));
      assert.match(text, /evil/);
    });
  }
});
