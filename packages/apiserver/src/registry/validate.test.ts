import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { type FieldError, invalid } from '../validation/field-error.ts';
import { validateCreate, validateUpdate } from './validate.ts';
import type { Strategy, StrategyContext } from './strategy.ts';

const context = undefined as unknown as StrategyContext;
const shown = (errors: readonly FieldError[]): string[] => errors.map(({ field }) => field);
const options = (strategy: Strategy, namespaced = true) => ({ strategy, namespaced, context });
const OWN = invalid('spec', 1, 'no');
const GOOD = { metadata: { name: 'a', namespace: 'n', resourceVersion: '1' } };
const BAD = {
  metadata: { name: 'a', namespace: 'n', resourceVersion: '1', labels: { 'a b': '' } },
};

describe('the errors of a new object', () => {
  it('come from its kind', () => {
    assert.deepEqual(shown(validateCreate(BAD, options({ validate: () => [OWN] }))), ['spec']);
  });

  it('come from the common rules if the kind finds none', () => {
    assert.deepEqual(shown(validateCreate(BAD, options({ validate: () => [] }))), [
      'metadata.labels',
    ]);
    assert.deepEqual(validateCreate(GOOD, options({ validate: () => [] })), []);
  });

  it('are about the metadata for kinds without rules', () => {
    const name = { metadata: { name: 'A', namespace: 'n' } };
    assert.deepEqual(shown(validateCreate(name, options({}))), ['metadata.name']);
    assert.deepEqual(validateCreate(name, options({ validateName: () => [] })), []);
    assert.deepEqual(shown(validateCreate(GOOD, options({}, false))), ['metadata.namespace']);
  });

  it('can be about a name that does not fit into a URL', () => {
    const name = { metadata: { name: 'a/b', namespace: 'n' } };
    assert.deepEqual(shown(validateCreate(name, options({ validate: () => [] }))), [
      'metadata.name',
    ]);
  });
});

describe('the errors of an update', () => {
  it('come from the common rules and from the kind', () => {
    const strategy: Strategy = { validateUpdate: () => [OWN], validateStatusUpdate: () => [] };
    assert.deepEqual(shown(validateUpdate(BAD, GOOD, options(strategy))), [
      'metadata.labels',
      'metadata.labels',
      'spec',
    ]);
    const status = { ...options(strategy), part: 'status' as const };
    assert.deepEqual(validateUpdate(GOOD, GOOD, status), []);
  });

  it('are about the metadata for kinds without rules', () => {
    assert.deepEqual(validateUpdate(GOOD, GOOD, options({})), []);
    const moved = { metadata: { ...GOOD.metadata, uid: 'x' } };
    assert.deepEqual(shown(validateUpdate(moved, GOOD, options({}))), [
      'metadata.uid',
      'metadata.uid',
    ]);
  });
});
