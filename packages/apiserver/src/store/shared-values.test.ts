import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { sharedText, sharedValue, shareParts } from './shared-values.ts';

describe('values that objects have in common', () => {
  it('are one frozen object if they are equal', () => {
    const one = sharedValue({ a: [{ b: 1 }] });
    assert.equal(sharedValue({ a: [{ b: 1 }] }), one);
    assert.equal(sharedValue(one), one);
    assert.ok(Object.isFrozen(one.a[0]));
    assert.equal(sharedText(one), '{"a":[{"b":1}]}');
  });

  it('differ if their keys are in another order', () => {
    assert.notEqual(sharedValue({ a: 1, b: 2 }), sharedValue({ b: 2, a: 1 }));
  });

  it('are not shared if they are large', () => {
    const [one, other] = [1, 2].map(() => sharedValue({ text: 'x'.repeat(10_000) }));
    assert.notEqual(one, other);
    assert.equal(sharedText(one as object), undefined);
  });

  it('are forgotten when many others have been shared since', () => {
    const used = sharedValue({ used: true });
    const unused = sharedValue({ used: false });
    for (let index = 0; index < 1000; index++) {
      sharedValue({ index });
      assert.equal(sharedValue({ used: true }), used);
    }
    assert.notEqual(sharedValue({ used: false }), unused);
  });
});

describe('the parts of an object', () => {
  const pod = (name: string, image: string) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: 'a' }, annotations: { note: name } },
    spec: { containers: [{ name: 'c', image }], nodeName: 'n' },
  });

  it('are shared where they are equal', () => {
    const [one, two, other] = [pod('one', 'i'), pod('two', 'i'), pod('other', 'j')];
    for (const object of [one, two, other]) shareParts(object);
    assert.equal(one.spec.containers, two.spec.containers);
    assert.equal(one.metadata.labels, other.metadata.labels);
    assert.deepEqual(other, pod('other', 'j'));
  });

  it('stay as they are in what is frozen, absent or not an object', () => {
    const spec = Object.freeze({ containers: [{ name: 'c' }] });
    const { containers } = spec;
    shareParts({ apiVersion: 'v1', kind: 'Pod', spec });
    assert.equal(spec.containers, containers);
    assert.ok(!Object.isFrozen(containers));
    shareParts({ apiVersion: 'v1', kind: 'Thing', spec: 'text' });
  });
});
