import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  difference,
  emptySet,
  type FieldSet,
  hasPath,
  intersection,
  isEmpty,
  parseSet,
  pathsOf,
  recursiveDifference,
  setOf,
  sortSet,
  union,
} from './field-set.ts';
import type { PathElement } from './path-element.ts';

const element: fc.Arbitrary<PathElement> = fc.constantFrom(
  'f:a',
  'f:b',
  'f:c',
  'k:{"name":"x"}',
  'v:"1"',
);
const paths: fc.Arbitrary<PathElement[][]> = fc.uniqueArray(
  fc.array(element, { minLength: 1, maxLength: 4 }),
  { selector: (path) => path.join('/'), maxLength: 12 },
);

/** The reference model: a set of paths as text. */
function modelOf(set: FieldSet): Set<string> {
  return new Set(Array.from(pathsOf(set), (path) => path.join('/')));
}

function model(list: readonly (readonly PathElement[])[]): Set<string> {
  return new Set(list.map((path) => path.join('/')));
}

function check(
  operation: (left: FieldSet, right: FieldSet) => FieldSet,
  expected: (path: string, left: Set<string>, right: Set<string>) => boolean,
): void {
  fc.assert(
    fc.property(paths, paths, (left, right) => {
      const [leftModel, rightModel] = [model(left), model(right)];
      const [leftSet, rightSet] = [setOf(...left), setOf(...right)];
      const result = operation(leftSet, rightSet);
      const all = [...leftModel, ...rightModel];
      assert.deepEqual(
        modelOf(result),
        new Set(all.filter((path) => expected(path, leftModel, rightModel))),
      );
      assert.deepEqual([modelOf(leftSet), modelOf(rightSet)], [leftModel, rightModel]);
      assert.equal(isEmpty(result), modelOf(result).size === 0);
      assertNoEmptyBranches(result);
    }),
  );
}

function assertNoEmptyBranches(set: FieldSet): void {
  const again = parseSet(structuredClone(sortSet(set)));
  assert.deepEqual(modelOf(again), modelOf(set), 'a set survives being written and read');
}

describe('field sets', () => {
  test('have a union', () => {
    check(union, (path, left, right) => left.has(path) || right.has(path));
  });

  test('have an intersection', () => {
    check(intersection, (path, left, right) => left.has(path) && right.has(path));
  });

  test('have a difference that keeps children', () => {
    check(difference, (path, left, right) => left.has(path) && !right.has(path));
  });

  test('have a recursive difference that removes children', () => {
    check(
      recursiveDifference,
      (path, left, right) =>
        left.has(path) && ![...right].some((other) => `${path}/`.startsWith(`${other}/`)),
    );
  });

  test('know their members', () => {
    fc.assert(
      fc.property(paths, paths, (list, asked) => {
        const set = setOf(...list);
        for (const path of asked) assert.equal(hasPath(set, path), model(list).has(path.join('/')));
        assert.equal(hasPath(set, []), false);
      }),
    );
  });

  test('are encoded in one way, however they were built', () => {
    fc.assert(
      fc.property(paths, (list) => {
        const [one, other] = [setOf(...list), setOf(...list.toReversed())];
        assert.equal(JSON.stringify(sortSet(one)), JSON.stringify(sortSet(other)));
      }),
    );
  });

  test('are returned as they are if nothing changes', () => {
    const set = setOf(['f:a', 'f:b'], ['f:a']);
    assert.equal(union(set, emptySet), set);
    assert.equal(union(set, set), set);
    assert.equal(difference(set, setOf(['f:x'])), set);
    assert.equal(parseSet(sortSet(set)), sortSet(set));
  });
});

describe('the encoded form', () => {
  test('has a dot for a field that also has children', () => {
    assert.deepEqual(setOf(['f:a'], ['f:a', 'f:b'], ['f:c', 'f:d']), {
      'f:a': { '.': {}, 'f:b': {} },
      'f:c': { 'f:d': {} },
    });
  });

  test("is sorted like a real server's", () => {
    const set = setOf(
      ['f:z'],
      ['f:ports', 'k:{"port":443}'],
      ['f:ports', 'k:{"port":80}', 'f:b'],
      ['f:ports', 'k:{"port":80}', 'f:a'],
      ['f:ports', 'k:{"port":80}'],
      ['f:ports'],
    );
    assert.equal(
      JSON.stringify(sortSet(set)),
      String.raw`{"f:ports":{".":{},"k:{\"port\":80}":{".":{},"f:a":{},"f:b":{}},"k:{\"port\":443}":{}},"f:z":{}}`,
    );
  });

  test('is parsed leniently', () => {
    const messy = {
      '.': {},
      'f:a': { '.': { 'f:x': {} }, 'f:b': null },
      'f:only-dot': { '.': {} },
      'k:{ "b": 2, "a": 1 }': {},
      'z:unknown': { 'f:x': {} },
    };
    assert.deepEqual(parseSet(messy), {
      'f:a': { '.': {}, 'f:b': {} },
      'f:only-dot': {},
      'k:{"a":1,"b":2}': {},
    });
    assert.equal(parseSet(undefined), emptySet);
    assert.equal(parseSet(null), emptySet);
  });

  test('is rejected if it is not a set', () => {
    for (const broken of [{ x: {} }, { 'f:a': 1 }, { 'f:a': { 'f:b': [] } }, 'f:a', []]) {
      assert.throws(() => parseSet(broken), SyntaxError);
    }
  });
});
