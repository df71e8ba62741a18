import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OptionError } from '../lib/option-error.ts';
import { convert, siteDescriptor, siteObject } from './test-reviews.ts';
import { WebhookError } from './webhook-error.ts';
import { Webhooks } from './webhooks.ts';

const PATH = '/convert-example-com-site';

function makeWebhooks(): Webhooks {
  const webhooks = new Webhooks();
  webhooks.conversion([siteDescriptor('v1'), siteDescriptor('v2')], {
    convert: async (site, toVersion) => {
      if (site.spec.replicas === 13) throw new Error('13 replicas have no equivalent');
      site.spec.image = `${site.spec.image} for ${toVersion}`;
      site.metadata = { name: 'other', labels: { converted: 'yes' } };
      return site.spec.replicas === 0 ? siteObject({ replicas: 1 }) : undefined;
    },
  });
  return webhooks;
}

describe('a conversion webhook', () => {
  it('converts objects in order, sets apiVersion and keeps the metadata but labels', async () => {
    const annotations = { note: 'a' };
    const response = await convert(makeWebhooks(), PATH, 'example.com/v2', [
      siteObject({ image: 'a' }, { uid: 'u1', annotations }),
      siteObject({ replicas: 0 }),
    ]);
    assert.deepEqual(response, {
      uid: 'call-2',
      result: { status: 'Success' },
      convertedObjects: [
        {
          apiVersion: 'example.com/v2',
          kind: 'Site',
          metadata: { namespace: 'ns', name: 'web', uid: 'u1', labels: { converted: 'yes' } },
          spec: { image: 'a for v2' },
        },
        {
          apiVersion: 'example.com/v2',
          kind: 'Site',
          metadata: { namespace: 'ns', name: 'web' },
          spec: { replicas: 1 },
        },
      ],
    });
  });

  it('keeps the metadata if the result has none', async () => {
    const webhooks = new Webhooks();
    webhooks.conversion([siteDescriptor('v1'), siteDescriptor('v2')], {
      convert: ({ spec }) => ({ spec: { container: spec.image } }),
    });
    const site = siteObject({ image: 'a' }, { labels: { app: 'web' } });
    const response = await convert(webhooks, PATH, 'example.com/v2', [site]);
    const { metadata } = site;
    assert.deepEqual(response?.convertedObjects, [
      { apiVersion: 'example.com/v2', kind: 'Site', metadata, spec: { container: 'a' } },
    ]);
  });

  it('leaves objects alone that have the version already', async () => {
    const site = siteObject({ image: 'a' });
    const response = await convert(makeWebhooks(), PATH, 'example.com/v1', [site]);
    assert.deepEqual(response?.convertedObjects, [site]);
  });

  it('answers a failure without objects', async () => {
    const objects = [siteObject({}), siteObject({ replicas: 13 })];
    const response = await convert(makeWebhooks(), PATH, 'example.com/v2', objects);
    assert.deepEqual(response, {
      uid: 'call-2',
      convertedObjects: [],
      result: { status: 'Failure', message: '13 replicas have no equivalent' },
    });
  });

  it('refuses another kind', async () => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } };
    const response = await convert(makeWebhooks(), PATH, 'example.com/v2', [pod]);
    assert.equal(response?.result.status, 'Failure');
    assert.match(response?.result.message ?? '', /cannot convert a Pod: .* Site\.example\.com/);
    const nothing = await convert(makeWebhooks(), PATH, 'example.com/v2', [
      JSON.parse('null') as object,
    ]);
    assert.match(nothing?.result.message ?? '', /is not an object/);
  });

  it('is registered once for one kind', () => {
    const webhooks = makeWebhooks();
    const v1 = siteDescriptor('v1');
    const again = (): void =>
      webhooks.conversion([v1], { path: '/other', convert: () => undefined });
    assert.throws(again, WebhookError);
    const mixed = (): void =>
      webhooks.conversion([v1, { ...v1, kind: 'Page' }], { convert: () => undefined });
    assert.throws(mixed, OptionError);
  });
});
