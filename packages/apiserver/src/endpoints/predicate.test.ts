import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseFieldSelector, parseLabelSelector } from 'client-ts/meta';

import { Registry } from '../registry/registry.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { buildPredicate, type Predicate } from './predicate.ts';

interface Options {
  readonly fieldLabels?: readonly string[];
  readonly crd?: string;
}

function served({ fieldLabels, crd }: Options = {}): ServedResource {
  const registry = new Registry({
    group: '',
    resource: 'pods',
    kind: 'Pod',
    namespaced: true,
    hasStatus: true,
    store: new MemoryStore(),
    strategy: {
      selectableFields: (object) => ({
        'spec.color': (object as { color?: string }).color ?? '',
      }),
    },
  });
  return {
    registry,
    info: { ...(crd !== undefined && { crd }) } as ServedResource['info'],
    uncached: false,
    ...(fieldLabels && { fieldLabels }),
    ...(crd !== undefined && {
      conversion: {
        fromStorage: (object) => ({ ...object, color: 'default' }),
        toStorage: (object) => object,
      },
    }),
  };
}

function predicate(labels: string, fields: string, options?: Options): Predicate {
  return buildPredicate(served(options), parseLabelSelector(labels), parseFieldSelector(fields));
}

const object = (color?: string): Parameters<Predicate>[0] =>
  ({ metadata: { name: 'a', namespace: 'n', labels: { app: 'web' } }, color }) as object;

describe('buildPredicate', () => {
  it('lets everything through without selectors', () => {
    assert.equal(predicate('', '')({}), true);
  });

  it('wants all that the selectors want', () => {
    assert.equal(predicate('app=web', '')(object()), true);
    assert.equal(predicate('app=db', '')(object()), false);
    assert.equal(predicate('!app', '')({}), true);
    assert.equal(predicate('', 'metadata.name=a,metadata.namespace=n')(object()), true);
    assert.equal(predicate('', 'metadata.name=a,metadata.namespace=m')(object()), false);
    assert.equal(predicate('app=web', 'metadata.name=b')(object()), false);
    assert.equal(predicate('app=db', 'metadata.name=a')(object()), false);
  });

  it('knows the fields of the kind', () => {
    const fieldLabels = ['metadata.name', 'spec.color'];
    const red = predicate('', 'spec.color=red', { fieldLabels });
    assert.equal(red(object('red')), true);
    assert.equal(red(object()), false);
    assert.equal(predicate('', 'spec.color=', { fieldLabels })(object()), true);
  });

  it('sees custom resources as their version shows them', () => {
    const options = { fieldLabels: ['spec.color'], crd: 'pods.example.com' };
    assert.equal(predicate('', 'spec.color=default', options)(object('stored')), true);
  });

  it('refuses other fields, in the words of the kind', () => {
    assert.throws(() => predicate('', 'spec.x=y'), {
      code: 'API_BAD_REQUEST',
      message: '"spec.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
    });
    assert.throws(() => predicate('', 'metadata.namespace=y', { fieldLabels: ['metadata.name'] }), {
      message: 'field label not supported: metadata.namespace',
    });
  });
});
