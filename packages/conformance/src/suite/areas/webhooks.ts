import assert from 'node:assert/strict';
import type { JsonObject } from 'client-ts/internal';
import type { Area } from '../check.ts';
import { failure, field, ok, warnings } from '../expect.ts';
import { anyObject, configMap, core, create, customKind } from '../objects.ts';
import { configureWebhook, type ReviewRequest, Webhook } from '../webhook.ts';

function patchOf(...operations: readonly JsonObject[]): JsonObject {
  const patch = Buffer.from(JSON.stringify(operations)).toString('base64');
  return { allowed: true, patchType: 'JSONPatch', patch };
}

/** Converts `spec.text` of v1 to `spec.words` of v2, and back. */
function convertWords({ objects = [], desiredAPIVersion = '' }: ReviewRequest): JsonObject {
  const convertedObjects = objects.map((object) => {
    const { text = '', words = [] } = object['spec'] as { text?: string; words?: string[] };
    const spec = desiredAPIVersion.endsWith('/v2')
      ? { words: text.split(' ') }
      : { text: words.join(' ') };
    return { ...object, apiVersion: desiredAPIVersion, spec };
  });
  return { result: { status: 'Success' }, convertedObjects };
}

/** Admission and conversion webhooks; the server must be able to reach this machine's loopback. */
export const webhooks: Area = {
  name: 'webhooks',
  checks: {
    'a validating webhook denies a request': async (kit) => {
      const namespace = await kit.freshNamespace();
      await using webhook = await Webhook.start(() => ({
        allowed: false,
        status: { message: 'not here', code: 403 },
        warnings: ['think again'],
      }));
      await configureWebhook(kit, 'Validating', namespace, webhook);
      const reply = await kit.api.post(core(namespace, 'configmaps'), configMap('a'));
      const { message } = failure(reply, 403);
      assert.equal(
        message,
        'admission webhook "webhook.conformance.example.com" denied the request: not here',
      );
      assert.deepEqual(warnings(reply), ['think again']);
      failure(await kit.api.get(`${core(namespace, 'configmaps')}/a`), 404, 'NotFound');
    },

    'a mutating webhook changes the object before it is validated and stored': async (kit) => {
      const namespace = await kit.freshNamespace();
      await using webhook = await Webhook.start(() =>
        patchOf({ op: 'add', path: '/data', value: { patched: 'yes' } }),
      );
      await configureWebhook(kit, 'Mutating', namespace, webhook);
      await create(kit.api, core(namespace, 'configmaps'), configMap('a', { key: 'value' }));
      const stored = ok(await kit.api.get(`${core(namespace, 'configmaps')}/a`));
      assert.deepEqual(stored['data'], { patched: 'yes' });
    },

    'a webhook sees the old and the new object, and dry runs': async (kit) => {
      const namespace = await kit.freshNamespace();
      await using webhook = await Webhook.start(() => ({ allowed: true }));
      await configureWebhook(kit, 'Validating', namespace, webhook);
      const path = core(namespace, 'configmaps');
      await create(kit.api, path, configMap('a', { key: 'old' }));
      ok(await kit.api.put(`${path}/a?dryRun=All`, configMap('a', { key: 'new' })));
      ok(await kit.api.delete(`${path}/a`));
      const seen = webhook.requests.map(({ operation, object, oldObject, dryRun }) => [
        operation,
        field(object, 'data.key'),
        field(oldObject, 'data.key'),
        dryRun,
      ]);
      assert.deepEqual(seen, [
        ['CREATE', 'old', undefined, false],
        ['UPDATE', 'new', 'old', true],
        ['DELETE', undefined, 'old', false],
      ]);
    },

    'a webhook that fails denies the request, or is ignored': async (kit) => {
      const namespace = await kit.freshNamespace();
      const nowhere = { clientConfig: { url: 'https://127.0.0.1:1/' }, requests: [] };
      await configureWebhook(kit, 'Validating', namespace, nowhere, {}, (status) => status === 500);
      const { message } = failure(
        await kit.api.post(core(namespace, 'configmaps'), configMap('a')),
        500,
        'InternalError',
      );
      assert.equal(
        message,
        'Internal error occurred: failed calling webhook "webhook.conformance.example.com": failed to call webhook: Post "https://127.0.0.1:1/?timeout=10s": dial tcp 127.0.0.1:1: connect: connection refused',
      );
      const other = await kit.freshNamespace();
      const ignored = { failurePolicy: 'Ignore' };
      await configureWebhook(
        kit,
        'Validating',
        other,
        nowhere,
        ignored,
        (status) => status === 201,
      );
      await create(kit.api, core(other, 'configmaps'), configMap('a'));
    },

    'a conversion webhook converts between the versions of a custom resource': async (kit) => {
      const { api, namespace } = kit;
      await using webhook = await Webhook.start(convertWords);
      const version = (name: string, storage: boolean): JsonObject => ({
        name,
        served: true,
        storage,
        schema: { openAPIV3Schema: anyObject },
      });
      const things = await customKind(kit, {
        versions: [version('v1', true), version('v2', false)],
        spec: {
          conversion: {
            strategy: 'Webhook',
            webhook: { clientConfig: webhook.clientConfig, conversionReviewVersions: ['v1'] },
          },
        },
      });
      await create(
        api,
        things.collection(namespace, 'v1'),
        things.object('a', { spec: { text: 'one two' } }),
      );
      const other = ok(await api.get(`${things.collection(namespace, 'v2')}/a`));
      assert.deepEqual(other['spec'], { words: ['one', 'two'] });
      const changed = { ...other, spec: { words: ['three', 'four'] } };
      ok(await api.put(`${things.collection(namespace, 'v2')}/a`, changed));
      const stored = ok(await api.get(`${things.collection(namespace, 'v1')}/a`));
      assert.deepEqual(stored['spec'], { text: 'three four' });
      // While the webhook still runs, or a real server could not delete the objects.
      ok(await api.delete(`${things.collection(namespace, 'v1')}/a`));
    },
  },
};
