import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';

import type { PersistentVolume, PersistentVolumeClaim, Pod } from 'client-ts/api/core/v1';
import { conditions, waitFor } from 'client-ts/wait';

import { useTestBed } from './bed/use-bed.ts';

const NS = 'default';

function volume(
  name: string,
  storage: string,
  spec: Partial<PersistentVolume['spec']> = {},
): PersistentVolume {
  return {
    metadata: { name },
    spec: {
      capacity: { storage },
      accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
      hostPath: { path: `/data/${name}` },
      ...spec,
    },
  };
}

function claim(
  name: string,
  storage: string,
  spec: Partial<PersistentVolumeClaim['spec']> = {},
): PersistentVolumeClaim {
  return {
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, ...spec },
  };
}

describe('volumes of WorkloadControllers', () => {
  const bed = useTestBed({ before, after, beforeEach }, { controllers: 'simulated' });
  const volumes = () => bed().client.coreV1.persistentVolumes();
  const claims = () => bed().client.coreV1.persistentVolumeClaims(NS);
  const volumePhase = async (name: string, phase: string) =>
    await waitFor(volumes(), name, (found) => found?.status?.phase === phase);
  const claimPhase = async (name: string, phase: string) =>
    await waitFor(claims(), name, (found) => found?.status?.phase === phase);

  it('are bound to the claim that the smallest of them fits', async () => {
    for (const [name, storage] of [
      ['big', '10Gi'],
      ['small', '2Gi'],
      ['tiny', '1Gi'],
    ] as const) {
      await volumes().create(volume(name, storage));
      await volumePhase(name, 'Available');
    }
    const { metadata } = await claims().create(claim('data', '1500Mi'));
    const bound = await claimPhase('data', 'Bound');
    assert.equal(bound?.spec?.volumeName, 'small');
    assert.deepEqual(bound?.status?.capacity, { storage: '2Gi' });
    assert.deepEqual(bound?.status?.accessModes, ['ReadWriteOnce', 'ReadOnlyMany']);
    assert.deepEqual(bound?.metadata.annotations, {
      'pv.kubernetes.io/bind-completed': 'yes',
      'pv.kubernetes.io/bound-by-controller': 'yes',
    });
    const small = await volumePhase('small', 'Bound');
    assert.equal(small?.spec?.claimRef?.uid, metadata.uid);
    assert.equal(small?.metadata.annotations?.['pv.kubernetes.io/bound-by-controller'], 'yes');
    assert.equal((await volumes().get('big')).status?.phase, 'Available');
  });

  it('are bound when they come after the claim, by name or reservation', async () => {
    await claims().create(claim('named', '1Gi', { volumeName: 'a' }));
    await claims().create(claim('waiting', '1Gi'));
    await volumes().create(volume('a', '1Gi'));
    const claimRef = { namespace: NS, name: 'waiting' };
    await volumes().create(volume('b', '5Gi', { claimRef }));
    await claimPhase('named', 'Bound');
    await claimPhase('waiting', 'Bound');
    assert.equal((await claims().get('waiting')).spec?.volumeName, 'b');
    assert.equal((await volumes().get('a')).spec?.claimRef?.name, 'named');
  });

  it('are not bound if class, size, selector or access modes differ', async () => {
    await volumes().create(volume('a', '1Gi'));
    await volumePhase('a', 'Available');
    await claims().create(claim('class', '1Gi', { storageClassName: 'fast' }));
    await claims().create(claim('size', '2Gi'));
    await claims().create(claim('selector', '1Gi', { selector: { matchLabels: { disk: 'ssd' } } }));
    await claims().create(claim('modes', '1Gi', { accessModes: ['ReadWriteMany'] }));
    await claims().create(claim('fits', '1Gi'));
    await claimPhase('fits', 'Bound');
    const { items } = await claims().list();
    const pending = items.filter(({ status }) => status?.phase === 'Pending');
    assert.deepEqual(
      pending.map(({ metadata }) => metadata.name),
      ['class', 'modes', 'selector', 'size'],
    );
  });

  it('wait for the first consumer if their class says so', async () => {
    await bed()
      .client.storageV1.storageClasses()
      .create({
        metadata: { name: 'local' },
        provisioner: 'kubernetes.io/no-provisioner',
        volumeBindingMode: 'WaitForFirstConsumer',
      });
    await volumes().create(volume('a', '1Gi', { storageClassName: 'local' }));
    await claims().create(claim('late', '1Gi', { storageClassName: 'local' }));
    await volumes().create(volume('b', '1Gi'));
    await claims().create(claim('early', '1Gi', { storageClassName: '' }));
    await claimPhase('early', 'Bound');
    assert.equal((await claims().get('late')).status?.phase, 'Pending');
    await bed().client.coreV1.pods(NS).create(podWith('late'));
    await claimPhase('late', 'Bound');
  });

  it('are kept while they are bound, and released when the claim is gone', async () => {
    await volumes().create(volume('a', '1Gi'));
    await claims().create(claim('data', '1Gi'));
    await claimPhase('data', 'Bound');
    await volumes().delete('a');
    const { metadata } = await volumes().get('a');
    assert.deepEqual(metadata.finalizers, ['kubernetes.io/pv-protection']);
    await claims().delete('data');
    await waitFor(volumes(), 'a', conditions.deleted());
    await volumes().create(volume('b', '1Gi'));
    await claims().create(claim('data', '1Gi'));
    await claimPhase('data', 'Bound');
    await claims().delete('data');
    await volumePhase('b', 'Released');
    await volumes().delete('b');
    await waitFor(volumes(), 'b', conditions.deleted());
  });

  it('leave a lost claim behind when they vanish', async () => {
    await volumes().create(volume('a', '1Gi'));
    await claims().create(claim('data', '1Gi'));
    await claimPhase('data', 'Bound');
    await volumes().delete('a');
    await volumes().patch('a', { metadata: { finalizers: null } }, { type: 'merge' });
    const lost = await claimPhase('data', 'Lost');
    assert.equal(lost?.status?.capacity, undefined);
  });

  it('get the finalizer back that was taken from them', async () => {
    await volumes().create(volume('a', '1Gi'));
    await volumes().patch('a', { metadata: { finalizers: null } }, { type: 'merge' });
    const again = await waitFor(
      volumes(),
      'a',
      (found) => found?.metadata.finalizers !== undefined,
    );
    assert.deepEqual(again?.metadata.finalizers, ['kubernetes.io/pv-protection']);
  });
});

function podWith(claimName: string): Pod {
  return {
    metadata: { name: 'consumer' },
    spec: {
      containers: [{ name: 'main', image: 'nginx' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
    },
  };
}
