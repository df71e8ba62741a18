import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { ApiServer } from '@client-ts/apiserver';
import type { Pod } from 'client-ts/api/core/v1';
import { Clientset } from 'client-ts/kubernetes';
import type { CanPatch } from 'client-ts/rest';

import { setStatus } from './set-status.ts';

const { signal } = new AbortController();

/** Fails when used. */
const untouchable: CanPatch<Pod, 'status'> = {
  patch: () => assert.fail('patched'),
  apply: () => assert.fail('applied'),
};

describe('setStatus', () => {
  it('writes nothing if the status is equal, in any order and without zeroes', async () => {
    const pod = {
      metadata: { name: 'a' },
      status: { phase: 'Running', podIP: '1', qosClass: 'x' },
    };
    assert.equal(
      await setStatus(untouchable, pod, { podIP: '1', phase: 'Running' }, signal),
      undefined,
    );
    const status = { observedGeneration: 0 };
    assert.equal(
      await setStatus(untouchable, { metadata: { name: 'a' } }, status, signal),
      undefined,
    );
  });

  it('writes a different status, returns the version, and ignores a missing object', async () => {
    await using server = await ApiServer.start();
    await using client = new Clientset({ server: server.url, transport: server.transport() });
    const pods = client.coreV1.pods('default');
    const spec = { containers: [{ name: 'c', image: 'x' }] };
    const pod = await pods.create({ metadata: { name: 'a' }, spec });
    const version = await setStatus(pods, pod, { phase: 'Running' }, signal);
    const { metadata, status } = await pods.get('a');
    assert.equal(status?.phase, 'Running');
    assert.equal(version, metadata.resourceVersion);
    await pods.delete('a', { gracePeriodSeconds: 0 });
    assert.equal(await setStatus(pods, pod, { phase: 'Failed' }, signal), undefined);
  });
});
