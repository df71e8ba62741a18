import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parse } from 'yaml';

import { run } from '../run.ts';
import { testContext } from '../frame/test-context.ts';
import { embeddedServer } from '../frame/test-server.ts';

test('prints the client and server version', async (t) => {
  const { kubeconfig } = await embeddedServer(t);
  const context = testContext();
  assert.equal(await run(['version', '--kubeconfig', kubeconfig], context), 0);
  assert.match(
    context.text(),
    /^Client Version: \d+\.\d+\.\d+\nNode Version: \d+.*\nServer Version: v1\.36\.\d+\n$/,
  );
  for (const [format, read] of [
    ['json', (text: string): unknown => JSON.parse(text)],
    ['yaml', (text: string): unknown => parse(text)],
  ] as const) {
    const context = testContext();
    const args = ['version', '-o', format, '--kubeconfig', kubeconfig];
    assert.equal(await run(args, context), 0);
    const { clientVersion, serverVersion } = read(context.text()) as {
      clientVersion: { node: string };
      serverVersion: { major: string; minor: string };
    };
    assert.equal(clientVersion.node, process.versions.node);
    assert.equal(`${serverVersion.major}.${serverVersion.minor}`, '1.36');
  }
});

test('version --client and --version need no server', async () => {
  const context = testContext();
  assert.equal(await run(['version', '--client'], context), 0);
  assert.match(context.text(), /^Client Version: \d\S+\nNode Version: \d\S+\n$/);
  const short = testContext();
  assert.equal(await run(['--version'], short), 0);
  assert.match(short.text(), /^client-ts \d\S+\n$/);
});
