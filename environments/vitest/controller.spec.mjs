import { useTestBed } from '@client-ts/simulator';
import { waitFor } from 'client-ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } };
const bed = useTestBed(
  { beforeAll, afterAll, beforeEach },
  { objects: [settings], controllers: 'simulated' },
);

test('a config map can be changed', async () => {
  const configMaps = bed().client.coreV1.configMaps('default');
  await configMaps.patch('settings', { data: { greeting: 'hi' } }, { type: 'merge' });
  expect(bed().requests({ verb: 'patch' }).map(String)).toEqual([
    'patch configmaps default/settings',
  ]);
});

test('the next test begins with the seeds, and deployments make pods', async () => {
  expect((await bed().client.coreV1.configMaps('default').get('settings')).data).toBe(undefined);
  const labels = { app: 'web' };
  const spec = { containers: [{ name: 'web', image: 'nginx' }] };
  const deployments = bed().client.appsV1.deployments('default');
  await deployments.create({
    metadata: { name: 'web' },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  });
  const made = await waitFor(deployments, 'web', (one) => one?.status?.readyReplicas === 1);
  expect(made.status.replicas).toBe(1);
});
