import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';

import { computeQOS } from './qos.ts';

const of = (...resources: object[]): string =>
  computeQOS({ spec: { containers: resources.map((each) => ({ resources: each })) } });

const ALL = { cpu: '1', memory: '1Gi' };

it('a pod without requests and limits is BestEffort', () => {
  assert.equal(of({}), 'BestEffort');
  assert.equal(of({ requests: { 'ephemeral-storage': '1Gi' } }), 'BestEffort');
  assert.equal(of({ requests: { cpu: '0' } }), 'BestEffort');
});

it('a pod whose containers all have equal requests and limits is Guaranteed', () => {
  assert.equal(of({ requests: ALL, limits: ALL }), 'Guaranteed');
  assert.equal(of({ requests: { cpu: '1000m', memory: '1024Mi' }, limits: ALL }), 'Guaranteed');
  assert.equal(of({ requests: ALL, limits: ALL }, { requests: ALL, limits: ALL }), 'Guaranteed');
});

it('other pods are Burstable', () => {
  assert.equal(of({ requests: { cpu: '1' } }), 'Burstable');
  assert.equal(of({ limits: ALL }), 'Burstable');
  assert.equal(of({ requests: ALL, limits: ALL }, {}), 'Burstable');
  assert.equal(of({ requests: { cpu: '500m', memory: '1Gi' }, limits: ALL }), 'Burstable');
  assert.equal(of({ requests: { cpu: '1' }, limits: { cpu: '1' } }), 'Burstable');
});

it('pod-level resources take precedence', () => {
  const pod = (resources: object): string =>
    computeQOS({ spec: { resources, containers: [{ resources: { requests: { cpu: '1' } } }] } });
  assert.equal(pod({ requests: ALL, limits: ALL }), 'Guaranteed');
  assert.equal(pod({ requests: ALL }), 'Burstable');
});

it('the order of containers does not matter', () => {
  const amount = fc.constantFrom('0', '1', '1000m', '2');
  const list = fc.record({ cpu: amount, memory: amount }, { requiredKeys: [] });
  const resources = fc.record({ requests: list, limits: list }, { requiredKeys: [] });
  fc.assert(
    fc.property(fc.array(resources, { maxLength: 4 }), (containers) => {
      assert.equal(of(...containers), of(...containers.toReversed()));
    }),
  );
});
