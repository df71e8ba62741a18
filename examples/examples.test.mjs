/** Runs every example as a user would, against the embedded server, and checks what it prints. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const here = fileURLToPath(new URL('.', import.meta.url));

/**
 * What each example prints; a regular expression where it cannot be known, and `...` for any number
 * of lines.
 */
const printed = /** @type {Readonly<Record<string, readonly (string | RegExp)[]>>} */ ({
  'discovery-print.ts': [
    /^Kubernetes v1\.\d+\.\d+$/,
    '...',
    'v1 nodes (Node, not in namespaces)',
    '...',
    'v1 pods (Pod)',
    '...',
    'apps/v1 deployments (Deployment)',
    'apps/v1 deployments/scale (Scale)',
    '...',
    'storage.k8s.io/v1 storageclasses (StorageClass, not in namespaces)',
    '...',
    'deploy is short for Deployment in apps/v1',
  ],
  'dynamic-list.ts': [
    'Pod web-0 on node-1',
    '  image example.com/web:1, Pending',
    'Pod web-1 on node-1',
    '  image example.com/web:1, Pending',
    'Pod worker-0 on node-1',
    '  image example.com/worker:1, Pending',
    'expected v1 ConfigMap but got v1 Pod',
  ],
  'rest-list.ts': [
    'GET /api/v1/namespaces/default/pods',
    'web-0  example.com/web:1',
    'web-1  example.com/web:1',
    'worker-0  example.com/worker:1',
  ],
  'typed-list.ts': [
    'the first 2: web-0 web-1',
    'default/web-0 on node-1, app web',
    'default/web-1 on node-1, app web',
    'default/worker-0 on node-1, app worker',
    'pods "no-such-pod" not found',
  ],
  'watch-with-resume.ts': [
    'there are 3 pods',
    'MODIFIED web-0 {"app":"web","seen":"before"}',
    'the connection is lost; going on from where we were',
    'MODIFIED web-0 {"app":"web","seen":"meanwhile"}',
    'ADDED web-2 {"app":"web"}',
  ],
});

describe('examples', () => {
  for (const [file, expected] of Object.entries(printed)) {
    it(`${file} prints what it should`, async () => {
      const { stdout, stderr } = await run(process.execPath, [here + file]);
      const lines = stdout.trimEnd().split('\n');
      for (const [index, wanted] of expected.entries()) {
        if (wanted === '...') skipTo(lines, expected[index + 1] ?? '');
        else if (typeof wanted === 'string') assert.equal(lines.shift(), wanted);
        else assert.match(lines.shift() ?? '', wanted);
      }
      assert.deepEqual(lines, []);
      assert.equal(stderr, '');
    });
  }

  it('has a test for each', async () => {
    const files = await readdir(here);
    const examples = files.filter((name) => name.endsWith('.ts'));
    assert.deepEqual(examples.toSorted(), Object.keys(printed).toSorted());
  });
});

/** @param {string[]} lines @param {string | RegExp} wanted */
function skipTo(lines, wanted) {
  const found = lines.findIndex((line) =>
    typeof wanted === 'string' ? line === wanted : wanted.test(line),
  );
  assert.notEqual(found, -1, `there is no line ${wanted}`);
  lines.splice(0, found);
}
