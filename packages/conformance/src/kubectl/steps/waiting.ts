import assert from 'node:assert/strict';
import type { Step } from '../kubectl.ts';

const setReady = JSON.stringify({
  status: {
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2024-01-02T03:04:05Z' }],
  },
});

/** Waiting for conditions. */
export const waitingSteps: readonly Step[] = [
  {
    name: 'wait --for=condition: times out',
    run: async (kubectl) => {
      const said = await kubectl.fails(
        {},
        'wait',
        'pod/p1',
        '--for=condition=Ready',
        '--timeout=1s',
      );
      assert.match(said, /timed out waiting for the condition/);
    },
  },
  {
    name: 'wait --for=condition: becomes true',
    since: 24,
    run: async (kubectl) => {
      await using waiting = kubectl.start(
        'wait',
        'pod/p1',
        '--for=condition=Ready',
        '--timeout=30s',
      );
      await kubectl.ok(
        'patch',
        'pod',
        'p1',
        '--subresource=status',
        '--type=strategic',
        '-p',
        setReady,
      );
      await waiting.until(/pod\/p1 condition met/);
    },
  },
  {
    name: 'wait --for=jsonpath',
    since: 23,
    run: async (kubectl) => {
      const met = await kubectl.ok(
        'wait',
        'pod/p1',
        '--for=jsonpath={.status.phase}=Pending',
        '--timeout=10s',
      );
      assert.match(met, /condition met/);
    },
  },
  {
    name: 'wait --for=delete',
    run: async (kubectl) => {
      await kubectl.ok('create', 'configmap', 'doomed');
      const wait = ['wait', 'cm/doomed', '--for=delete', '--timeout=30s'];
      // With `-v=6` its requests are visible: old versions fail if the object is gone before they
      // look.
      await using waiting = kubectl.start(...wait, '-v=6');
      await waiting.until(/watch=true.*200 OK/);
      await kubectl.ok('delete', 'cm', 'doomed');
      await waiting.until(/configmap\/doomed condition met/);
    },
  },
];
