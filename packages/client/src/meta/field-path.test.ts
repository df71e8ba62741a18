import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OptionError } from '../lib/option-error.ts';
import { parsePath, valuesAt } from './field-path.ts';

const pod = {
  metadata: { labels: { 'app.kubernetes.io/name': 'web' }, finalizers: ['a', 'b'] },
  spec: {
    nodeName: 'node-1',
    hostNetwork: false,
    priority: 0,
    containers: [{ image: 'x', ports: [{ port: 1 }, { port: 2 }] }, { image: 'y' }, null],
  },
};

describe('a path', () => {
  const at = (text: string): unknown => valuesAt(pod, parsePath(text));

  it('leads to a string, a number or a boolean', () => {
    assert.equal(at('spec.nodeName'), 'node-1');
    assert.equal(at('spec.hostNetwork'), false);
    assert.equal(at('spec.priority'), 0);
  });

  it('leads nowhere if a field is absent or not a scalar', () => {
    for (const text of ['spec', 'spec.absent', 'absent.a.b', 'spec.nodeName.length']) {
      assert.equal(at(text), undefined, text);
    }
    assert.equal(at('spec.toString'), undefined);
    assert.equal(at('spec.containers.length'), undefined);
  });

  it('has dots in keys if they are escaped', () => {
    assert.equal(at('metadata.labels.app\\.kubernetes\\.io/name'), 'web');
    assert.equal(at('metadata.labels.app.kubernetes.io/name'), undefined);
  });

  it('leads to a value of each item of a list', () => {
    assert.deepEqual(at('spec.containers[*].image'), ['x', 'y']);
    assert.deepEqual(at('spec.containers[*].ports[*].port'), [1, 2]);
    assert.deepEqual(at('metadata.finalizers[*]'), ['a', 'b']);
    assert.deepEqual(at('metadata.absent[*].uid'), []);
    assert.deepEqual(at('spec[*].nodeName'), []);
  });

  it('is parsed once', () => {
    assert.equal(parsePath('spec.nodeName'), parsePath('spec.nodeName'));
  });

  it('is refused if it has an empty name or an index', () => {
    for (const text of ['', '.spec', 'spec..a', 'spec.', 'a[0].b', '[*]', 'a[*', '*.b']) {
      assert.throws(() => parsePath(text, 'the index "x"'), {
        name: OptionError.name,
        message: /^the index "x": ".*" is not a path/,
      });
    }
  });
});
