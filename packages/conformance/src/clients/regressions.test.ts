/** Known problems of other JavaScript clients, each with a test that fails if it exists here. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ApiServer } from '@client-ts/apiserver';
import { Clientset } from 'client-ts/kubernetes';
import { ApiError, parseTime } from 'client-ts/meta';
import { quiescence } from 'client-ts/testing';
import { fastClock } from '../recordings/fast-clock.ts';
import { ways } from './test-targets.ts';
import { Listening } from './test-transports.ts';

const containers = [{ name: 'web', image: 'web:1' }];

for (const { name, configOf } of ways) {
  describe(`known problems of other clients, ${name}`, () => {
    let server: ApiServer;
    let client: Clientset;

    before(async () => {
      server = await ApiServer.start({ authorization: 'rbac' });
      client = new Clientset(configOf(server));
    });

    after(async () => {
      await client[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    });

    it('a connection for every request', async () => {
      using opened = new Listening('client-ts:connection:open');
      await using own = new Clientset(configOf(server));
      for (let count = 0; count < 20; count += 1) await own.coreV1.namespaces().get('default');
      assert.equal(opened.messages.length, name === 'without sockets' ? 0 : 1);
    });

    it('an unhandled rejection ends the process', async () => {
      const unhandled: unknown[] = [];
      const note = (reason: unknown): unknown => unhandled.push(reason);
      process.on('unhandledRejection', note);
      try {
        const own = new Clientset(configOf(server));
        const pods = own.coreV1.pods('default');
        using _reset = server.faults.add({
          match: { verb: 'watch', resource: 'secrets' },
          fault: { kind: 'reset', at: 'after-headers' },
        });
        // Never read, broken without a reader, abandoned with a pending read.
        pods.watch();
        const broken = own.coreV1.secrets('default').watch();
        await broken.open();
        const waiting = pods.watch();
        await waiting.open();
        const pending = waiting.next();
        const stop = new AbortController();
        const listing = pods.list({ signal: stop.signal });
        stop.abort(new Error('enough'));
        await assert.rejects(listing, /enough/);
        await waiting.return();
        assert.equal((await pending).done, true);
        await own[Symbol.asyncDispose]();
        // A round trip, after which all errors of the closed connections have been reported.
        await using other = new Clientset(configOf(server));
        await other.coreV1.pods('default').list();
        await quiescence();
      } finally {
        process.off('unhandledRejection', note);
      }
      assert.deepEqual(unhandled, []);
    });

    it('a watch of a closed client never ends', async () => {
      const own = new Clientset(configOf(server));
      const watch = own.coreV1.pods('default').watch();
      await watch.open();
      const pending = watch.next();
      const rejected = assert.rejects(pending, { code: 'TRANSPORT_CLOSED' });
      await own[Symbol.asyncDispose]();
      await rejected;
    });

    it('fields are lost when an object is written back', async () => {
      const pods = client.coreV1.pods('default');
      const created = await pods.create({
        metadata: { name: 'whole', annotations: { 'example.com/kept': '{"a":[1]}' } },
        spec: { containers, tolerations: [{ operator: 'Exists' }], shareProcessNamespace: true },
      });
      const read = await pods.get('whole');
      const { annotations } = read.metadata;
      const labels = { changed: 'yes' };
      const written = await pods.update({ ...read, metadata: { ...read.metadata, labels } });
      assert.deepEqual(written.spec, created.spec);
      assert.deepEqual(written.metadata.annotations, annotations);
      assert.deepEqual(written.metadata.labels, labels);
    });

    it('times are Dates in one place and strings in another', async () => {
      const leases = client.coordinationV1.leases('default');
      const renewTime = '2026-01-31T09:00:00.123456Z';
      const created = await leases.create({ metadata: { name: 'lease' }, spec: { renewTime } });
      await using watch = leases.watch();
      const { value } = await watch.next();
      const [listed] = (await leases.list()).items;
      for (const lease of [created, await leases.get('lease'), listed, value?.object]) {
        assert.equal(lease?.spec?.renewTime, renewTime);
        assert.equal(typeof lease?.metadata.creationTimestamp, 'string');
        assert.ok(parseTime(lease?.metadata.creationTimestamp ?? '') > 0);
      }
    });

    it('upper case in names is lost', async () => {
      const roles = client.rbacV1.clusterRoles();
      const role = 'Example:Reader.Of_Things';
      await roles.create({ metadata: { name: role }, rules: [] });
      assert.equal((await roles.get(role)).metadata.name, role);
      await roles.patch(role, { metadata: { labels: { seen: 'yes' } } }, { type: 'merge' });
      const found = await roles.list({ fieldSelector: `metadata.name=${role}` });
      assert.equal(found.items[0]?.metadata.labels?.['seen'], 'yes');
      await roles.delete(role);
    });

    it('a patch is rejected with 415', async () => {
      const maps = client.coreV1.configMaps('default');
      await maps.create({ metadata: { name: 'patched' } });
      const add = [{ op: 'add', path: '/data', value: { by: 'json' } }] as const;
      await maps.patch('patched', add, { type: 'json' });
      await maps.patch('patched', { data: { and: 'merge' } }, { type: 'merge' });
      await maps.patch('patched', { data: { also: 'strategic' } }, { type: 'strategic' });
      const mine = { metadata: { name: 'patched' }, data: { last: 'apply' } };
      const options = { type: 'apply', fieldManager: 'me' } as const;
      const { data } = await maps.patch('patched', mine, options);
      assert.deepEqual(data, { by: 'json', and: 'merge', also: 'strategic', last: 'apply' });
    });

    it("an error does not contain the server's message", async () => {
      const pods = client.coreV1.pods('default');
      await using guest = new Clientset({ ...configOf(server), impersonate: { user: 'guest' } });
      const refusals: [Promise<unknown>, number, string][] = [
        [pods.get('none'), 404, 'pods "none" not found'],
        [
          pods.create({ metadata: { name: 'bad' }, spec: { containers: [] } }),
          422,
          'Pod "bad" is invalid: spec.containers: Required value',
        ],
        [
          guest.coreV1.pods('default').list(),
          403,
          'pods is forbidden: User "guest" cannot list resource "pods" in API group "" in the namespace "default"',
        ],
      ];
      for (const [refusal, code, message] of refusals) {
        const error = await refusal.then(
          () => assert.fail('not refused'),
          (reason: unknown) => reason,
        );
        assert.ok(error instanceof ApiError);
        assert.equal(error.status.message, message);
        assert.equal(error.statusCode, code);
        assert.equal(error.status.message, message);
        assert.match(error.request?.path ?? '', /^\/api\/v1\/namespaces\/default\/pods/);
        assert.ok(String(error.stack).includes(message));
        assert.ok(!JSON.stringify(error).includes(server.token));
      }
    });

    it('Retry-After is ignored', async () => {
      using busy = server.faults.add({
        match: { verb: 'create', resource: 'configmaps' },
        fault: { kind: 'status', code: 429, retryAfterSeconds: 1 },
        count: 3,
      });
      await using own = new Clientset(configOf(server), { clock: fastClock(100) });
      await own.coreV1.configMaps('default').create({ metadata: { name: 'patient' } });
      assert.equal(busy.hits, 3);
    });
  });
}
