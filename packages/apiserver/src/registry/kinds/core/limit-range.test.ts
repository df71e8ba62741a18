import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';
import { TestServer } from '../../../testing/test-server.ts';

const NAMESPACE = '/api/v1/namespaces/default';

const inSpec = (spec: object): { spec: object } => ({ spec });

describe('a LimitRange', () => {
  const limit = (change: object): { spec: object } =>
    inSpec({ limits: [{ type: 'Container', ...change }] });
  const ranges = (): TestKind =>
    new TestKind(`${NAMESPACE}/limitranges`, { metadata: { name: 'l' }, ...limit({}) });

  it('derives missing defaults', async () => {
    using kind = ranges();
    const { spec } = await kind.created(
      limit({
        max: { cpu: '2', memory: '2Gi' },
        min: { cpu: '1m', x: undefined },
        default: { cpu: '1' },
      }),
    );
    assert.deepEqual((spec as { limits: unknown[] }).limits[0], {
      type: 'Container',
      max: { cpu: '2', memory: '2Gi' },
      min: { cpu: '1m' },
      default: { cpu: '1', memory: '2Gi' },
      defaultRequest: { cpu: '1', memory: '2Gi' },
    });
  });

  it('rejects contradicting amounts', async () => {
    using kind = ranges();
    await kind.refusesToCreate([
      [
        limit({ type: 'X' }),
        'spec.limits[0].type: Invalid value: "X": must be a standard limit type or fully qualified',
      ],
      [
        inSpec({ limits: [{ type: 'Pod' }, { type: 'Pod' }] }),
        'spec.limits[1].type: Duplicate value: "Pod"',
      ],
      [
        limit({ max: { pods: '1' } }),
        'spec.limits[0].max[pods]: Invalid value: "pods": must be a standard resource for containers',
        'spec.limits[0].default[pods]: Invalid value: "pods": must be a standard resource for containers',
        'spec.limits[0].defaultRequest[pods]: Invalid value: "pods": must be a standard resource for containers',
      ],
      [
        limit({ type: 'Pod', default: { cpu: '1' }, defaultRequest: { cpu: '1' } }),
        "spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'",
        "spec.limits[0].defaultRequest: Forbidden: may not be specified when `type` is 'Pod'",
      ],
      [
        limit({ type: 'PersistentVolumeClaim' }),
        'spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided',
      ],
      [
        limit({ min: { cpu: '2' }, max: { cpu: '1' } }),
        'spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
        'spec.limits[0].defaultRequest[cpu]: Invalid value: "1": min value 2 is greater than default request value 1',
        'spec.limits[0].default[cpu]: Invalid value: "2": min value 2 is greater than default value 1',
      ],
      [
        limit({ min: { cpu: '2' }, default: { cpu: '1' } }),
        'spec.limits[0].defaultRequest[cpu]: Invalid value: "1": min value 2 is greater than default request value 1',
        'spec.limits[0].default[cpu]: Invalid value: "2": min value 2 is greater than default value 1',
      ],
      [
        limit({ max: { cpu: '1' }, defaultRequest: { cpu: '2' } }),
        'spec.limits[0].defaultRequest[cpu]: Invalid value: "2": default request value 2 is greater than max value 1',
        'spec.limits[0].defaultRequest[cpu]: Invalid value: "2": default request value 2 is greater than default limit value 1',
      ],
      [
        limit({ maxLimitRequestRatio: { cpu: '500m' } }),
        'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "500m": ratio 500m is less than 1',
      ],
      [
        limit({ min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } }),
        'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "3": ratio 3 is greater than max/min = 2.000000',
      ],
    ]);
  });

  it('admits requests up to the limit', async () => {
    using kind = ranges();
    await kind.created(limit({ maxLimitRequestRatio: { cpu: '1' } }));
    await kind.created(
      limit({ min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '2' } }),
    );
    await kind.created(limit({ min: { cpu: '1' }, max: { cpu: '1' } }));
  });

  it('adds default resources to pods, and rejects pods beyond the limits', async () => {
    using server = new TestServer();
    await server.given('post', `${NAMESPACE}/limitranges`, {
      metadata: { name: 'l' },
      spec: {
        limits: [
          {
            type: 'Container',
            default: { cpu: '500m' },
            defaultRequest: { cpu: '100m' },
            min: { cpu: '50m' },
            max: { cpu: '1' },
            maxLimitRequestRatio: { cpu: '10' },
          },
          { type: 'Pod', max: { cpu: '1500m' } },
          { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '2Gi' } },
        ],
      },
    });
    const container = (resources: object): object => ({ name: 'a', image: 'x', resources });
    const pods = new TestKind(`${NAMESPACE}/pods`, { metadata: { name: 'p' } }, server);
    const { metadata, spec } = await pods.created(inSpec({ containers: [container({})] }));
    assert.equal(
      metadata.annotations?.['kubernetes.io/limit-ranger'],
      'LimitRanger plugin set: cpu request for container a; cpu limit for container a',
    );
    const { containers } = spec as { containers: { resources: object }[] };
    assert.deepEqual(containers[0]?.resources, {
      limits: { cpu: '500m' },
      requests: { cpu: '100m' },
    });
    const asking = (requests: object, limits: object): { spec: object } =>
      inSpec({ containers: [container({ requests, limits })] });
    await pods.refusesToCreate([
      [
        asking({ cpu: '10m' }, { cpu: '20m' }),
        '403: pods "p" is forbidden: minimum cpu usage per Container is 50m, but request is 10m',
      ],
      [
        asking({ cpu: '2' }, { cpu: '2' }),
        '403: pods "p" is forbidden: [maximum cpu usage per Container is 1, but limit is 2, maximum cpu usage per Pod is 1500m, but limit is 2]',
      ],
      [
        asking({ cpu: '50m' }, { cpu: '900m' }),
        '403: pods "p" is forbidden: cpu max limit to request ratio per Container is 10, but provided ratio is 18.000000',
      ],
      [
        inSpec({
          containers: [
            container({ limits: { cpu: '1' } }),
            { ...container({ limits: { cpu: '1' } }), name: 'b' },
          ],
        }),
        '403: pods "p" is forbidden: maximum cpu usage per Pod is 1500m, but limit is 2',
      ],
    ]);
    const claims = new TestKind(
      `${NAMESPACE}/persistentvolumeclaims`,
      { metadata: { name: 'c' }, spec: { accessModes: ['ReadWriteOnce'] } },
      server,
    );
    const storage = (amount: string): { spec: object } =>
      inSpec({ resources: { requests: { storage: amount } } });
    await claims.created(storage('2Gi'));
    await claims.refusesToCreate([
      [
        storage('3Gi'),
        '403: persistentvolumeclaims "c" is forbidden: maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi',
      ],
      [
        storage('1Mi'),
        '403: persistentvolumeclaims "c" is forbidden: minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1Mi',
      ],
    ]);
  });
});
