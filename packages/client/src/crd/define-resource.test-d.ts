/**
 * Type tests of declared resources, seen as a user sees them. The build compiles this file: a line
 * under `@ts-expect-error` that compiles is an error, and so is any other line that does not.
 */
import type { PodTemplateSpec } from '../api/core/v1.ts';
import { resourceClient } from '../rest/resource-client.ts';
import type { RESTClient } from '../rest/rest-client.ts';
import type { ObjectOf } from '../meta/resource.ts';
import type { Condition, ObjectMeta } from '../meta/types.ts';
import { conditionsSchema } from './conditions-schema.ts';
import { customResourceDefinition, defineResource } from './define-resource.ts';
import { typedSchema } from './schema.ts';

const sites = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Site',
  subresources: { status: {} },
  schema: {
    type: 'object',
    required: ['spec'],
    properties: {
      metadata: { type: 'object' },
      spec: {
        type: 'object',
        required: ['image', 'ports'],
        properties: {
          image: { type: 'string' },
          replicas: { type: 'integer', default: 1 },
          policy: { type: 'string', enum: ['Always', 'Never'] },
          level: { type: 'integer', enum: [1, 2] },
          ports: {
            type: 'array',
            items: {
              type: 'object',
              required: ['number'],
              properties: {
                number: { 'x-kubernetes-int-or-string': true },
                name: { type: 'string', nullable: true },
              },
            },
          },
          labels: { type: 'object', additionalProperties: { type: 'string' } },
          limits: {
            type: 'object',
            additionalProperties: { type: 'array', items: { type: 'number' } },
          },
          anything: { 'x-kubernetes-preserve-unknown-fields': true },
          open: {
            type: 'object',
            'x-kubernetes-preserve-unknown-fields': true,
            required: ['known'],
            properties: { known: { type: 'boolean' } },
          },
          free: { type: 'object', additionalProperties: true },
          template: typedSchema<PodTemplateSpec>({
            type: 'object',
            'x-kubernetes-preserve-unknown-fields': true,
          }),
          embedded: {
            type: 'object',
            'x-kubernetes-embedded-resource': true,
            'x-kubernetes-preserve-unknown-fields': true,
          },
        },
      },
      status: {
        type: 'object',
        properties: { ready: { type: 'boolean' }, conditions: conditionsSchema },
      },
    },
  },
});

const zones = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Zone',
  scope: 'Cluster',
  schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
});

type Site = ObjectOf<typeof sites>;
type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

function isTrue<T extends true>(): T | undefined {
  return undefined;
}

export async function tests(rest: RESTClient): Promise<void> {
  isTrue<Equal<Site['apiVersion'], 'example.com/v1' | undefined>>();
  isTrue<Equal<Site['kind'], 'Site' | undefined>>();
  isTrue<Equal<Site['metadata'], ObjectMeta | undefined>>();
  isTrue<Equal<Site['status'], { ready?: boolean; conditions?: Condition[] } | undefined>>();
  const { spec } = sites.parse({});
  isTrue<Equal<typeof spec.image, string>>();
  isTrue<Equal<typeof spec.replicas, number | undefined>>();
  isTrue<Equal<typeof spec.policy, 'Always' | 'Never' | undefined>>();
  isTrue<Equal<typeof spec.level, 1 | 2 | undefined>>();
  isTrue<Equal<typeof spec.ports, { number: number | string; name?: string | null }[]>>();
  isTrue<Equal<typeof spec.labels, Record<string, string> | undefined>>();
  isTrue<Equal<typeof spec.limits, Record<string, number[]> | undefined>>();
  isTrue<Equal<typeof spec.anything, unknown>>();
  isTrue<Equal<typeof spec.free, Record<string, unknown> | undefined>>();
  isTrue<Equal<typeof spec.template, PodTemplateSpec | undefined>>();
  spec.open?.known satisfies boolean | undefined;
  spec.open?.['other'] satisfies unknown;
  spec.embedded?.kind satisfies string | undefined;

  // The resource is a descriptor: scope, subresources and fields are checked.
  const inDefault = resourceClient(rest, sites, 'default');
  const created = await inDefault.create({
    metadata: { name: 'a' },
    spec: { image: 'nginx', ports: [{ number: 'http' }] },
  });
  await inDefault.updateStatus({ ...created, status: { ready: true } });
  // @ts-expect-error image is required
  await inDefault.create({ metadata: { name: 'a' }, spec: { ports: [] } });
  // @ts-expect-error a policy is one of two
  await inDefault.create({ spec: { image: '', ports: [], policy: 'Sometimes' } });
  // @ts-expect-error another kind
  await inDefault.create({ kind: 'Zone', spec: { image: '', ports: [] } });
  // @ts-expect-error no such field
  await inDefault.create({ spec: { image: '', ports: [], size: 1 } });
  const zoneClient = resourceClient(rest, zones);
  await zoneClient.create({ metadata: { name: 'a' }, anything: [1] });
  // @ts-expect-error there is no status subresource
  await zoneClient.updateStatus({ metadata: { name: 'a' } });
  // @ts-expect-error zones are not in namespaces
  resourceClient(rest, zones, 'default');

  sites.parse({}) satisfies Site;
  customResourceDefinition([sites, zones]);
}

export function declarations(): void {
  const names = { group: 'example.com', version: 'v1', kind: 'Part' } as const;
  // @ts-expect-error there is no such type
  defineResource({ ...names, schema: { type: 'text' } });
  // @ts-expect-error there is no such subresource
  defineResource({ ...names, schema: { type: 'object' }, subresources: { log: {} } });
  // @ts-expect-error scale needs its paths
  defineResource({ ...names, schema: { type: 'object' }, subresources: { scale: {} } });
  // @ts-expect-error a schema is required
  defineResource(names);
}
