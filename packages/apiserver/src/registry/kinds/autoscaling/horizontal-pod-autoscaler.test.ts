import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';
import { hpaFromV2, hpaToV2 } from './conversion.ts';

const V1 = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers';
const V2 = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
const TARGET = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
const inSpec = (spec: object): { spec: object } => ({ spec });

describe('a HorizontalPodAutoscaler', () => {
  const autoscalers = (): TestKind =>
    new TestKind(V2, {
      metadata: { name: 'h' },
      spec: { maxReplicas: 3, scaleTargetRef: TARGET },
    });
  const metric = (change: object): { spec: object } => inSpec({ metrics: [change] });
  const cpu = (target: object): { spec: object } =>
    metric({ type: 'Resource', resource: { name: 'cpu', target } });

  it('rejects invalid targets, limits and metrics', async () => {
    using kind = autoscalers();
    await kind.refusesToCreate([
      [
        inSpec({ maxReplicas: 0 }),
        'spec.maxReplicas: Required value: must be set and greater than 0',
        'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
      ],
      [
        inSpec({ minReplicas: 4 }),
        'spec.maxReplicas: Invalid value: 3: must be greater than or equal to `minReplicas`',
      ],
      [
        inSpec({ minReplicas: 0 }),
        'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
      ],
      [
        inSpec({ scaleTargetRef: { kind: '', name: '' } }),
        'spec.scaleTargetRef.kind: Required value',
        'spec.scaleTargetRef.name: Required value',
      ],
      [
        inSpec({ scaleTargetRef: { apiVersion: 'a/b/c' } }),
        'spec.scaleTargetRef.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
      ],
      [
        metric({}),
        'spec.metrics[0].type: Required value: must specify a metric source type',
        'spec.metrics[0].type: Unsupported value: "": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
        'spec.metrics[0].type: Unsupported value: "": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
      ],
      [
        metric({ type: 'X' }),
        'spec.metrics[0].type: Unsupported value: "X": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
        'spec.metrics[0].type: Unsupported value: "X": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
      ],
      [
        metric({ type: 'Resource' }),
        'spec.metrics[0].resource: Required value: must populate information for the given metric source',
      ],
      [
        cpu({}),
        'spec.metrics[0].resource.target.type: Required value: must specify a metric target type',
        'spec.metrics[0].resource.target.type: Invalid value: "": must be either Utilization, Value, or AverageValue',
        'spec.metrics[0].resource.target.averageUtilization: Required value: must set either a target raw value or a target utilization',
      ],
      [
        cpu({ type: 'Utilization', averageUtilization: 0 }),
        'spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0',
      ],
      [
        cpu({ type: 'AverageValue', averageValue: '-1' }),
        'spec.metrics[0].resource.target.averageValue: Invalid value: "-1": must be positive',
      ],
      [
        metric({
          type: 'Pods',
          pods: { metric: { name: '' }, target: { type: 'Value', value: '1' } },
        }),
        'spec.metrics[0].pods.metric.name: Required value: must specify a metric name',
        'spec.metrics[0].pods.target.averageValue: Required value: must specify a positive target averageValue',
      ],
      [
        metric({
          type: 'External',
          external: {
            metric: { name: 'm' },
            target: { type: 'Value', value: '1', averageValue: '1' },
          },
        }),
        'spec.metrics[0].external.target.value: Forbidden: may not set both a target value for metric and a per-pod target',
      ],
      [
        inSpec({
          behavior: {
            scaleUp: { policies: [], selectPolicy: 'X', stabilizationWindowSeconds: 3601 },
          },
        }),
        'spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600',
        'spec.behavior.scaleUp.selectPolicy: Unsupported value: "X": supported values: "Disabled", "Max", "Min"',
      ],
      [
        inSpec({
          behavior: { scaleDown: { policies: [{ type: 'X', value: 0, periodSeconds: 1801 }] } },
        }),
        'spec.behavior.scaleDown.policies[0].type: Unsupported value: "X": supported values: "Percent", "Pods"',
        'spec.behavior.scaleDown.policies[0].value: Invalid value: 0: must be greater than zero',
        'spec.behavior.scaleDown.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800',
      ],
    ]);
  });

  it('is the same object in both versions', async () => {
    using kind = autoscalers();
    await kind.given(
      inSpec({
        behavior: { scaleDown: { stabilizationWindowSeconds: 5 } },
        // v1 has a field for CPU utilization, which is the last metric after conversion.
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } },
          },
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
          },
        ],
      }),
    );
    const { body: old } = await kind.server.get(`${V1}/h`);
    const spec = old['spec'] as Record<string, unknown>;
    assert.equal(spec['targetCPUUtilizationPercentage'], 50);
    assert.match(
      old.metadata.annotations?.['autoscaling.alpha.kubernetes.io/metrics'] ?? '',
      /memory/,
    );
    const { body: before } = await kind.server.get(`${V2}/h`);
    await kind.server.given('put', `${V1}/h`, old);
    const { body: after } = await kind.server.get(`${V2}/h`);
    assert.deepEqual(after['spec'], before['spec']);
    assert.equal(after.metadata.annotations, undefined);
  });
});

describe('the conversion between autoscaling/v1 and v2', () => {
  it('loses nothing in a round trip', () => {
    const hpa = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'h', annotations: { mine: 'x' } },
      spec: {
        maxReplicas: 3,
        scaleTargetRef: TARGET,
        metrics: [
          {
            type: 'Pods',
            pods: {
              metric: { name: 'm', selector: { matchLabels: { a: 'b' } } },
              target: { type: 'AverageValue', averageValue: '5' },
            },
          },
          {
            type: 'Object',
            object: {
              describedObject: TARGET,
              metric: { name: 'm' },
              target: { type: 'Value', value: '5' },
            },
          },
          {
            type: 'External',
            external: {
              metric: { name: 'm' },
              target: { type: 'AverageValue', averageValue: '5' },
            },
          },
          {
            type: 'ContainerResource',
            containerResource: {
              name: 'cpu',
              container: 'c',
              target: { type: 'Utilization', averageUtilization: 5 },
            },
          },
        ],
        behavior: { scaleUp: { selectPolicy: 'Min' } },
      },
      status: {
        currentReplicas: 1,
        desiredReplicas: 2,
        currentMetrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', current: { averageUtilization: 7, averageValue: '1' } },
          },
        ],
        conditions: [{ type: 'AbleToScale', status: 'True' }],
      },
    } as const;
    const old = hpaFromV2(structuredClone(hpa) as never);
    assert.equal(old.apiVersion, 'autoscaling/v1');
    assert.deepEqual(JSON.parse(JSON.stringify(hpaToV2(old))), hpa);
  });

  it('ignores annotations that it did not write', () => {
    const { spec } = hpaToV2({
      metadata: { annotations: { 'autoscaling.alpha.kubernetes.io/metrics': 'not JSON' } },
      spec: { maxReplicas: 1, targetCPUUtilizationPercentage: 9 },
    });
    assert.deepEqual(spec?.metrics, [
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 9 } },
      },
    ]);
  });
});
