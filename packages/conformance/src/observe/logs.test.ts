import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiServer } from '@client-ts/apiserver';
import { Clientset } from 'client-ts';
import { SharedInformerFactory } from 'client-ts/informers';
import { nextTurn } from 'client-ts/internal';
import { type LogEntry, structuredLogger } from 'client-ts/observe';

describe('structured logs', () => {
  it('have every request at the level debug, and no secrets', async () => {
    await using server = await ApiServer.start();
    const entries: LogEntry[] = [];
    const logger = structuredLogger((entry) => entries.push(entry));
    const token = 'canary-token-1';
    const config = { ...server.config, logger, maxRetries: 0 };
    await using client = new Clientset(config);
    await using stranger = new Clientset({ ...config, tls: { ca: server.ca }, auth: { token } });
    const secrets = client.coreV1.secrets('default');
    await secrets.create({ metadata: { name: 'db' }, stringData: { password: 'canary-2' } });
    await secrets.list({ labelSelector: 'canary-3=canary-4' });
    await assert.rejects(
      secrets.create({ metadata: { name: 'db' }, stringData: { a: 'canary-5' } }),
    );
    await assert.rejects(stranger.coreV1.secrets('default').get('db'));
    server.faults.add({
      match: { verb: 'get' },
      fault: { kind: 'reset', at: 'before-handling' },
      count: 1,
    });
    await assert.rejects(secrets.get('db'));
    const requests = entries.filter(({ event }) => event === 'request.end');
    const path = '/api/v1/namespaces/default/secrets';
    assert.deepEqual(
      requests.map(({ level, ...fields }) => [
        level,
        fields['method'],
        fields['path'],
        fields['status'] ?? fields['code'],
      ]),
      [
        ['debug', 'POST', path, 201],
        ['debug', 'GET', path, 200],
        ['debug', 'POST', path, 409],
        ['debug', 'GET', `${path}/db`, 401],
        ['debug', 'GET', `${path}/db`, 'TRANSPORT_CONNECTION_RESET'],
      ],
    );
    const text = JSON.stringify(entries);
    assert.doesNotMatch(text, /canary/);
    assert.equal(text.includes(Buffer.from('canary-2').toString('base64')), false);
  });

  it('name the informer that is blocked, and its server', async () => {
    await using server = await ApiServer.start();
    const entries: LogEntry[] = [];
    const logger = structuredLogger((entry) => entries.push(entry));
    await using client = new Clientset({ ...server.config, logger });
    server.faults.add({ match: { resource: 'pods' }, fault: { kind: 'status', code: 403 } });
    const factory = new SharedInformerFactory(client);
    factory.coreV1.pods();
    factory.start();
    const isBlocked = ({ event }: LogEntry): boolean => event === 'informer.blocked';
    while (!entries.some(isBlocked)) await nextTurn();
    await factory.shutdown();
    const { level, event, informer, server: host } = entries.find(isBlocked) as LogEntry;
    assert.deepEqual(
      { level, event, informer, host },
      { level: 'warn', event, informer: 'pods', host: new URL(server.url).host },
    );
  });
});
