import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ConfigMap, configMaps } from 'client-ts/api/core/v1';
import { customResourceDefinition, defineResource } from 'client-ts/crd';
import { systemClock } from 'client-ts/internal';
import { isForbidden, isInvalid, type ObjectOf } from 'client-ts/meta';
import { Clientset } from 'client-ts/kubernetes';
import { conditions, waitFor } from 'client-ts/wait';
import { allowed, denied, Webhooks, WebhookServer } from 'client-ts/webhook';
import { targets } from '../clients/test-targets.ts';
import { startNamespace, type TestNamespace } from '../controllers/test-namespace.ts';
import { eventually } from '../suite/expect.ts';
import { type CertificateDirectory, certificateDirectory } from './test-certificates.ts';

/** Two versions of one resource: `image` of v1 is `container.image` of v2. */
function versionsOf(group: string) {
  const common = { group, kind: 'Site', plural: 'sites' } as const;
  const v1 = defineResource({
    ...common,
    version: 'v1',
    schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: { image: { type: 'string' } } } },
    },
  });
  const v2 = defineResource({
    ...common,
    version: 'v2',
    schema: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            container: { type: 'object', properties: { image: { type: 'string' } } },
          },
        },
      },
    },
  });
  return { v1, v2 };
}

type Versions = ReturnType<typeof versionsOf>;
type AnySite = ObjectOf<Versions['v1']> & ObjectOf<Versions['v2']>;

function convertSite(site: AnySite, toVersion: string): void {
  const { image = site.spec?.container?.image } = site.spec ?? {};
  if (image === undefined) return;
  site.spec = toVersion === 'v1' ? { image } : { container: { image } };
}

for (const target of targets) {
  describe(`webhooks of an API server ${target.name}`, () => {
    let world: TestNamespace;
    let directory: CertificateDirectory;
    let server: WebhookServer;
    const webhooks = new Webhooks({ onError: () => {} });
    const calls: string[] = [];
    const subjects: string[] = [];
    let versions: Versions;

    const address = () => ({
      url: `https://127.0.0.1:${server.port}`,
      caBundle: directory.authority.certificate,
    });

    function register(): void {
      const namespaceSelector = {
        matchLabels: { 'kubernetes.io/metadata.name': world.namespace },
      };
      webhooks.validating(configMaps, {
        namespaceSelector,
        operations: ['CREATE', 'UPDATE', 'DELETE'],
        handle: ({ operation, object, oldObject, dryRun, name, userInfo }) => {
          calls.push(`${operation} ${name} ${dryRun ? 'dry ' : ''}${typeof userInfo.username}`);
          subjects.push(`${oldObject?.data?.['size']} to ${object?.data?.['size']}`);
          if (oldObject?.data?.['keep'] === 'yes' && operation === 'DELETE') {
            return denied('this map is kept');
          }
          if (object?.data?.['size'] === '-1') {
            const causes = [{ field: 'data.size', message: 'must not be negative' }];
            return denied('size is negative', { code: 422, causes });
          }
          return object?.data?.['size'] === '0' ? allowed({ warnings: ['size is 0'] }) : allowed();
        },
      });
      for (const failurePolicy of ['Ignore', 'Fail'] as const) {
        webhooks.validating(configMaps, {
          namespaceSelector,
          path: `/failing-${failurePolicy.toLowerCase()}`,
          objectSelector: { matchLabels: { policy: failurePolicy } },
          failurePolicy,
          handle: () => {
            throw new Error('database is down');
          },
        });
      }
      webhooks.mutating(configMaps, {
        namespaceSelector,
        mutate: (map) => {
          map.data = { size: '1', ...map.data };
          map.metadata = {
            ...map.metadata,
            labels: { ...map.metadata?.labels, 'example.com/app': 'web' },
          };
        },
      });
      versions = versionsOf(`${world.namespace}.example.com`);
      webhooks.conversion([versions.v1, versions.v2] as const, {
        convert: (site, toVersion) => convertSite(site as AnySite, toVersion),
      });
    }

    before(async () => {
      world = await startNamespace(target);
      directory = await certificateDirectory();
      register();
      server = new WebhookServer(webhooks, { certDir: directory.path, port: 0, host: '127.0.0.1' });
      await server.start();
      const { admissionregistrationV1: api } = world.client;
      const options = { name: world.namespace, ...address() };
      const { namespace: name } = world;
      await api.validatingWebhookConfigurations().create(webhooks.validatingConfiguration(options));
      await api.mutatingWebhookConfigurations().create(webhooks.mutatingConfiguration(options));
      // A real server reads configurations from its cache.
      await eventually(systemClock, 'the first call of both webhooks', async () => {
        const probe: ConfigMap = { metadata: { name: 'probe' } };
        const maps = world.client.coreV1.configMaps(name);
        const { metadata } = await maps.create(probe, { dryRun: true });
        return metadata.labels !== undefined && calls.length > 0 ? true : undefined;
      });
    });

    after(async () => {
      const { admissionregistrationV1: api, apiextensionsV1 } = world.client;
      const { namespace: name } = world;
      await api.validatingWebhookConfigurations().delete(name);
      await api.mutatingWebhookConfigurations().delete(name);
      await apiextensionsV1
        .customResourceDefinitions()
        .delete(`sites.${name}.example.com`)
        .catch(() => undefined);
      await world[Symbol.asyncDispose]();
      await server.close();
      await directory[Symbol.asyncDispose]();
    });

    const maps = () => world.client.coreV1.configMaps(world.namespace);

    it('change objects by the patch of what the mutation changed', async () => {
      const created = await maps().create({ metadata: { name: 'mutated' }, data: { other: 'x' } });
      assert.deepEqual(created.data, { size: '1', other: 'x' });
      assert.deepEqual(created.metadata.labels, { 'example.com/app': 'web' });
    });

    it('see operation, old and new object, and dry runs', async () => {
      await maps().create({ metadata: { name: 'seen' }, data: { size: '1' } });
      calls.length = 0;
      subjects.length = 0;
      const patch = { data: { size: '2' } };
      await maps().patch('seen', patch, { type: 'merge', dryRun: true });
      await maps().delete('seen');
      assert.deepEqual(calls, ['UPDATE seen dry string', 'DELETE seen string']);
      assert.deepEqual(subjects, ['1 to 2', '1 to undefined']);
    });

    it('warn the client that made the request', async () => {
      const warnings: string[] = [];
      const onWarning = ({ text }: { text: string }): unknown => warnings.push(text);
      await using client = new Clientset({ ...world.target.config, onWarning });
      const empty = { metadata: { name: 'empty' }, data: { size: '0' } };
      await client.coreV1.configMaps(world.namespace).create(empty);
      assert.deepEqual(warnings, ['size is 0']);
    });

    it('that fail are treated by their failurePolicy', async () => {
      const labelled = (policy: string): ConfigMap => ({
        metadata: { name: policy.toLowerCase(), labels: { policy } },
      });
      await maps().create(labelled('Ignore'));
      await assert.rejects(
        maps().create(labelled('Fail')),
        /failed calling webhook.*database is down/,
      );
    });

    it('reject requests with message, code and causes', async () => {
      const negative = { metadata: { name: 'negative' }, data: { size: '-1' } };
      await assert.rejects(maps().create(negative), (error) => {
        assert.ok(isInvalid(error));
        assert.match((error as Error).message, /size is negative/);
        return true;
      });
      await maps().create({ metadata: { name: 'kept' }, data: { keep: 'yes' } });
      await assert.rejects(maps().delete('kept'), (error) => {
        assert.ok(isForbidden(error));
        assert.match((error as Error).message, /this map is kept/);
        return true;
      });
      await maps().patch('kept', { data: { keep: null } }, { type: 'merge' });
      await maps().delete('kept');
    });

    it('convert custom objects between versions, stored and read', async () => {
      const { v1, v2 } = versions;
      const conversion = webhooks.conversionOf(v1, address());
      const { metadata } = await world.client.apiextensionsV1
        .customResourceDefinitions()
        .create(customResourceDefinition([v1, v2], { conversion }));
      await waitFor(
        world.client.apiextensionsV1.customResourceDefinitions(),
        metadata.name,
        conditions.crdEstablished,
        { timeoutMs: 15_000 },
      );
      const { namespace } = world;
      const old = world.client.resource(v1, namespace);
      const current = world.client.resource(v2, namespace);
      await eventually(systemClock, 'the creation of a site', async () =>
        old.create({ metadata: { name: 'web' }, spec: { image: 'nginx' } }).catch(() => undefined),
      );
      const converted = await current.get('web');
      assert.deepEqual(converted.spec, { container: { image: 'nginx' } });
      assert.equal(converted.apiVersion, `${namespace}.example.com/v2`);
      const list = await current.list();
      assert.deepEqual(
        list.items.map(({ spec }) => spec),
        [{ container: { image: 'nginx' } }],
      );
      await current.patch('web', { spec: { container: { image: 'caddy' } } }, { type: 'merge' });
      assert.deepEqual((await old.get('web')).spec, { image: 'caddy' });
      await old.delete('web');
    });
  });
}
