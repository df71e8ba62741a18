import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiServer } from '@client-ts/apiserver';
import { configMaps } from 'client-ts/api/core/v1';
import { Manager } from 'client-ts/controller';
import { systemClock } from 'client-ts/internal';
import { Clientset } from 'client-ts/kubernetes';
import { isForbidden } from 'client-ts/meta';
import { denied } from 'client-ts/webhook';
import { eventually } from '../suite/expect.ts';
import { certificateDirectory } from './test-certificates.ts';

async function probe(port: number, path: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return { status: response.status, text: await response.text() };
}

describe('the webhooks of a manager', () => {
  it('are served during a run, and part of readiness', async () => {
    await using server = await ApiServer.start();
    await using directory = await certificateDirectory();
    await using client = new Clientset(server.config);
    const manager = new Manager(server.config, {
      health: { port: 0, host: '127.0.0.1' },
      webhooks: { certDir: directory.path, port: 0, host: '127.0.0.1' },
    });
    manager.webhooks.validating(configMaps, { handle: () => denied('not today') });
    const stop = new AbortController();
    const run = manager.run({ signal: stop.signal });
    const { health = 0, webhooks = 0 } = await eventually(systemClock, 'the start', async () =>
      manager.ports.webhooks === undefined ? undefined : manager.ports,
    );
    await eventually(systemClock, 'readiness', async () => {
      const { status, text } = await probe(health, '/readyz?verbose');
      return status === 200 && text.includes('[+]webhooks ok') ? true : undefined;
    });
    const configuration = manager.webhooks.validatingConfiguration({
      name: 'manager',
      url: `https://127.0.0.1:${webhooks}`,
      caBundle: directory.authority.certificate,
    });
    await client.admissionregistrationV1.validatingWebhookConfigurations().create(configuration);
    const maps = client.coreV1.configMaps('default');
    await assert.rejects(maps.create({ metadata: { name: 'a' } }), isForbidden);
    stop.abort();
    await run;
    assert.equal(manager.ports.webhooks, undefined);
    await assert.rejects(maps.create({ metadata: { name: 'a' } }), /failed calling webhook/);
    await manager.close();
  });

  it('end the run if they cannot be served', async () => {
    await using server = await ApiServer.start();
    await using manager = new Manager(server.config, { webhooks: { certDir: '/none', port: 0 } });
    await assert.rejects(manager.run(), { code: 'WEBHOOK_CERTIFICATE_INVALID' });
  });
});
