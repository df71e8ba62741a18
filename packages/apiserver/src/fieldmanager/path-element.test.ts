import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  type PathElement,
  compareElements,
  compareText,
  fieldElement,
  formatPath,
  keyElement,
  parseElement,
  valueElement,
} from './path-element.ts';

describe('path elements', () => {
  test("are formatted like a real server's", () => {
    assert.equal(fieldElement('app.kubernetes.io/name'), 'f:app.kubernetes.io/name');
    assert.equal(
      keyElement([
        ['port', 80],
        ['protocol', 'TCP'],
      ]),
      'k:{"port":80,"protocol":"TCP"}',
    );
    assert.equal(valueElement('a<b'), String.raw`v:"a\u003cb"`);
  });

  test('are parsed into one canonical form', () => {
    assert.equal(parseElement('k:{ "b": 1, "a": "x" }'), 'k:{"a":"x","b":1}');
    assert.equal(parseElement('v: "x"'), 'v:"x"');
    assert.equal(parseElement('v:"<"'), String.raw`v:"\u003c"`);
    assert.equal(parseElement('i:007'), 'i:7');
    assert.equal(parseElement('f:any: thing'), 'f:any: thing');
  });

  test('of unknown kinds are ignored', () => {
    assert.equal(parseElement('z:whatever'), undefined);
  });

  for (const broken of ['', 'f', 'fx', 'v:', 'k:[]', 'k:{', 'i:x']) {
    test(`are rejected if invalid: ${JSON.stringify(broken)}`, () => {
      assert.throws(() => parseElement(broken), SyntaxError);
    });
  }

  test('are shown as paths', () => {
    const path: PathElement[] = [
      'f:spec',
      'f:ports',
      'k:{"name":"a\\nb","port":80}',
      'v:"x"',
      'v:true',
      'i:3',
    ];
    assert.equal(formatPath(path), String.raw`.spec.ports[name="a\nb",port=80][="x"][=true][3]`);
  });

  test('are sorted: fields, keys, values, indices', () => {
    const ordered: PathElement[] = [
      'f:a',
      'f:b',
      'f:\uffff',
      'f:\u{10000}',
      'k:{"name":"a"}',
      'k:{"name":"a","port":1}',
      'k:{"port":9,"protocol":"UDP"}',
      'k:{"port":80,"protocol":"TCP"}',
      'k:{"port":80,"protocol":"UDP"}',
      'v:-1',
      'v:9',
      'v:10',
      'v:"10"',
      'v:"9"',
      'v:false',
      'v:true',
      'v:null',
      'i:9',
      'i:10',
    ];
    for (let shift = 0; shift < ordered.length; shift++) {
      const shuffled = [...ordered.slice(shift).toReversed(), ...ordered.slice(0, shift)];
      assert.deepEqual(shuffled.toSorted(compareElements), ordered);
    }
  });
});

test('text is compared by its UTF-8 bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (left, right) => {
      const expected = Buffer.compare(Buffer.from(left), Buffer.from(right));
      assert.equal(Math.sign(compareText(left, right)), expected);
    }),
  );
});
