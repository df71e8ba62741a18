import assert from 'node:assert/strict';
import type { Step } from '../kubectl.ts';

/** Deleting objects. */
export const deletionSteps: readonly Step[] = [
  {
    name: 'delete --dry-run=server',
    run: async (kubectl) => {
      assert.match(await kubectl.ok('delete', 'cm', 'conf', '--dry-run=server'), /dry run/);
      await kubectl.ok('get', 'cm', 'conf');
    },
  },
  {
    name: 'delete',
    run: async (kubectl) => {
      assert.match(await kubectl.ok('delete', 'cm', 'conf'), /^configmap "conf" deleted/);
      assert.match(await kubectl.fails({}, 'delete', 'cm', 'conf'), /NotFound/);
      await kubectl.ok('delete', 'cm', 'conf', '--ignore-not-found');
    },
  },
  {
    name: 'delete -l',
    run: async (kubectl) => {
      const said = await kubectl.ok('delete', 'cm', '-l', 'set=many');
      assert.equal(said.trim().split('\n').length, 2);
    },
  },
  {
    name: 'delete --cascade and --all',
    run: async (kubectl) => {
      await kubectl.ok('delete', 'deploy', 'dep', '--cascade=foreground', '--wait=false');
      await kubectl.ok('delete', 'deploy', 'web', '--cascade=orphan', '--wait=false');
      await kubectl.ok('delete', 'secret', '--all');
      assert.equal(await kubectl.ok('get', 'secret', '-o', 'name'), '');
    },
  },
  {
    name: 'delete --force a Pod',
    run: async (kubectl) => {
      await kubectl.ok('delete', 'pod', 'p1', '--grace-period=0', '--force');
      assert.match(await kubectl.fails({}, 'get', 'pod', 'p1'), /NotFound/);
    },
  },
  {
    name: 'delete namespace',
    run: async (kubectl) => {
      await kubectl.ok('delete', 'namespace', kubectl.namespace, '--wait=false');
      const phase = await kubectl.run(
        {},
        'get',
        'ns',
        kubectl.namespace,
        '-o',
        'jsonpath={.status.phase}',
      );
      // With controllers it may already be gone.
      assert.ok(phase.code !== 0 || phase.stdout === 'Terminating', phase.stdout);
    },
  },
];
