import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { CustomResourceDefinition } from 'client-ts/api/apiextensions/v1';

import { definitionStatus, hasCondition, withCondition } from './definition-status.ts';

const now = '2026-01-01T00:00:00Z';
const later = '2026-01-01T00:00:09Z';

function definition(
  plural: string,
  names: Partial<CustomResourceDefinition['spec']['names']> = {},
  group = 'x.example.com',
): CustomResourceDefinition {
  const kind = plural.charAt(0).toUpperCase() + plural.slice(1, -1);
  return {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List`, ...names },
      versions: [],
    },
  };
}

function settled(
  crd: CustomResourceDefinition,
  all: readonly CustomResourceDefinition[] = [],
): CustomResourceDefinition {
  return { ...crd, status: definitionStatus(crd, all, now) };
}

test('a definition with free names is established', () => {
  const crd = settled(definition('cats', { shortNames: ['ct'], categories: ['all'] }));
  assert.ok(hasCondition(crd, 'NamesAccepted'));
  assert.ok(hasCondition(crd, 'Established'));
  assert.deepEqual(crd.status?.acceptedNames, crd.spec.names);
  assert.equal(definitionStatus(crd, [crd], later), crd.status, 'and stays as it is');
});

test('names in other groups do not conflict', () => {
  const other = settled(definition('cats', {}, 'y.example.com'));
  assert.ok(hasCondition(settled(definition('cats'), [other]), 'Established'));
});

test('conflicting names are rejected one by one', () => {
  const first = settled(definition('cats', { shortNames: ['a', 'b'] }));
  const second = settled(definition('dogs', { singular: 'cat', shortNames: ['a', 'b', 'c'] }), [
    first,
  ]);
  assert.deepEqual(second.status?.conditions?.[0], {
    type: 'NamesAccepted',
    status: 'False',
    lastTransitionTime: now,
    reason: 'ShortNamesConflict',
    message: '["a" is already in use, "b" is already in use]',
  });
  assert.deepEqual(second.status?.acceptedNames, {
    plural: 'dogs',
    kind: 'Dog',
    listKind: 'DogList',
  });
  assert.ok(!hasCondition(second, 'Established'));

  const free = { ...second, status: definitionStatus(second, [], later) };
  assert.ok(hasCondition(free, 'Established'), 'once the names are free');
  assert.equal(free.status.conditions?.[0]?.lastTransitionTime, later);
});

test('an established definition stays established', () => {
  const first = settled(definition('cats'));
  const second = settled(definition('dogs', { shortNames: ['d'] }));
  second.spec.names = { ...second.spec.names, shortNames: ['d', 'cat'] };
  const after = { ...second, status: definitionStatus(second, [first], later) };
  assert.ok(!hasCondition(after, 'NamesAccepted'));
  assert.ok(hasCondition(after, 'Established'));
  assert.deepEqual(after.status.acceptedNames?.shortNames, ['d']);
  assert.equal(after.status.conditions?.[1]?.lastTransitionTime, now);
});

test('the approval of a protected group becomes a condition', () => {
  const crd = definition('cats', {}, 'x.k8s.io');
  const condition = (annotation: string): unknown[] => {
    crd.metadata = { annotations: { 'api-approved.kubernetes.io': annotation } };
    const found = definitionStatus(crd, [], now).conditions?.[2];
    return [found?.type, found?.status, found?.reason, found?.message];
  };
  const type = 'KubernetesAPIApprovalPolicyConformant';
  assert.deepEqual(condition('https://github.com/kubernetes/enhancements/pull/1'), [
    type,
    'True',
    'ApprovedAnnotation',
    'approved in https://github.com/kubernetes/enhancements/pull/1',
  ]);
  assert.deepEqual(condition('unapproved, experimental'), [
    type,
    'False',
    'UnapprovedAnnotation',
    'not approved: "unapproved, experimental"',
  ]);
  assert.deepEqual(condition('yes').slice(0, 3), [type, 'False', 'InvalidAnnotation']);
  assert.deepEqual(condition('').slice(0, 3), [type, 'False', 'MissingAnnotation']);
});

test('the time of a condition changes only with its status', () => {
  const condition = { type: 'A', status: 'True', reason: 'X', message: '' };
  const [first] = withCondition([], condition, now);
  const [same] = withCondition(first ? [first] : [], { ...condition, reason: 'Y' }, later);
  assert.deepEqual([same?.reason, same?.lastTransitionTime], ['Y', now]);
  const [other] = withCondition(first ? [first] : [], { ...condition, status: 'False' }, later);
  assert.equal(other?.lastTransitionTime, later);
});
