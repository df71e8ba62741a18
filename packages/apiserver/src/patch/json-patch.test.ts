import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from 'client-ts/internal';
import type { JsonPatchOperation } from 'client-ts/meta';
import {
  applyJsonPatch,
  JsonPatchError,
  type JsonPatchErrorCode,
  parseJsonPatch,
} from './json-patch.ts';

/** Returns a patch as it may be received, independent of its types. */
function wire(operations: JsonValue[]): JsonPatchOperation[] {
  return parseJsonPatch(operations);
}

function refuses(action: () => unknown, code: JsonPatchErrorCode, operation?: number): void {
  assert.throws(action, (error) => {
    assert.ok(error instanceof JsonPatchError);
    assert.equal(error.code, code);
    assert.equal(error.operation, operation);
    return true;
  });
}

describe('applyJsonPatch', () => {
  const cases: readonly (readonly [string, JsonValue, JsonValue[], JsonValue])[] = [
    ['nothing', { a: 1 }, [], { a: 1 }],
    ['add a key', {}, [{ op: 'add', path: '/a', value: 1 }], { a: 1 }],
    ['add replaces a key', { a: 1 }, [{ op: 'add', path: '/a', value: 2 }], { a: 2 }],
    ['add into a list', [1, 3], [{ op: 'add', path: '/1', value: 2 }], [1, 2, 3]],
    ['add to the end', [1], [{ op: 'add', path: '/-', value: 2 }], [1, 2]],
    ['add at the length', [1], [{ op: 'add', path: '/1', value: 2 }], [1, 2]],
    ['add from the end', [1], [{ op: 'add', path: '/-1', value: 2 }], [1, 2]],
    ['add before the last', [1, 2], [{ op: 'add', path: '/-2', value: 9 }], [1, 9, 2]],
    ['add without a value', {}, [{ op: 'add', path: '/a' }], { a: null }],
    ['remove a key', { a: 1, b: 2 }, [{ op: 'remove', path: '/a' }], { b: 2 }],
    ['remove a null', { a: null }, [{ op: 'remove', path: '/a' }], {}],
    ['remove an item', [1, 2, 3], [{ op: 'remove', path: '/1' }], [1, 3]],
    ['remove the last item', [1, 2, 3], [{ op: 'remove', path: '/-1' }], [1, 2]],
    ['replace a key', { a: 1 }, [{ op: 'replace', path: '/a', value: 2 }], { a: 2 }],
    ['replace a missing key', {}, [{ op: 'replace', path: '/a', value: 2 }], { a: 2 }],
    ['replace an item', [1, 2], [{ op: 'replace', path: '/-1', value: 3 }], [1, 3]],
    ['replace everything', { a: 1 }, [{ op: 'replace', path: '', value: [1] }], [1]],
    ['move', { a: { b: 1 } }, [{ op: 'move', from: '/a/b', path: '/c' }], { a: {}, c: 1 }],
    ['move within a list', [1, 2, 3], [{ op: 'move', from: '/0', path: '/-' }], [2, 3, 1]],
    ['copy', { a: [1] }, [{ op: 'copy', from: '/a', path: '/b' }], { a: [1], b: [1] }],
    ['copy a missing key', {}, [{ op: 'copy', from: '/a', path: '/b' }], { b: null }],
    ['test', { a: { b: [1] } }, [{ op: 'test', path: '/a', value: { b: [1] } }], { a: { b: [1] } }],
    ['test everything', { a: 1 }, [{ op: 'test', path: '', value: { a: 1 } }], { a: 1 }],
    ['test for null', { a: null }, [{ op: 'test', path: '/a', value: null }], { a: null }],
    ['test a missing key for null', {}, [{ op: 'test', path: '/a', value: null }], {}],
    ['test a missing key for nothing', {}, [{ op: 'test', path: '/a' }], {}],
    ['escapes', {}, [{ op: 'add', path: '/a~1b~0c~01', value: 1 }], { 'a/b~c~1': 1 }],
    ['an empty key', {}, [{ op: 'add', path: '/', value: 1 }], { '': 1 }],
    [
      'deep paths',
      { a: [{ b: {} }] },
      [{ op: 'add', path: '/a/0/b/c', value: 1 }],
      { a: [{ b: { c: 1 } }] },
    ],
    [
      'deep from the end',
      { a: [{}, {}] },
      [{ op: 'add', path: '/a/-1/b', value: 1 }],
      { a: [{}, { b: 1 }] },
    ],
    ['no leading slash', { a: {} }, [{ op: 'add', path: 'x/a', value: 1 }], { a: 1 }],
    ['a sign before an index', [1, 2], [{ op: 'remove', path: '/+1' }], [1]],
    [
      'work on what an earlier operation put there',
      {},
      [
        { op: 'add', path: '/a', value: {} },
        { op: 'add', path: '/a/b', value: 1 },
      ],
      { a: { b: 1 } },
    ],
  ];
  for (const [what, document, operations, result] of cases) {
    it(what, () => assert.deepEqual(applyJsonPatch(document, wire(operations)), result));
  }

  const refusals: readonly (readonly [string, JsonPatchErrorCode, JsonValue, JsonValue])[] = [
    [
      'a failed test',
      'APISERVER_JSON_PATCH_TEST_FAILED',
      { a: 1 },
      { op: 'test', path: '/a', value: 2 },
    ],
    [
      'a test of a missing key',
      'APISERVER_JSON_PATCH_TEST_FAILED',
      {},
      { op: 'test', path: '/a', value: 1 },
    ],
    [
      'a test without a value',
      'APISERVER_JSON_PATCH_TEST_FAILED',
      { a: 1 },
      { op: 'test', path: '/a' },
    ],
    [
      'a test of everything',
      'APISERVER_JSON_PATCH_TEST_FAILED',
      {},
      { op: 'test', path: '', value: [] },
    ],
    [
      'removing a missing key',
      'APISERVER_JSON_PATCH_MISSING_PATH',
      {},
      { op: 'remove', path: '/a' },
    ],
    [
      'removing an inherited key',
      'APISERVER_JSON_PATCH_MISSING_PATH',
      {},
      { op: 'remove', path: '/toString' },
    ],
    [
      'moving a missing key',
      'APISERVER_JSON_PATCH_MISSING_PATH',
      {},
      { op: 'move', from: '/a', path: '/b' },
    ],
    [
      'a missing parent',
      'APISERVER_JSON_PATCH_MISSING_PATH',
      {},
      { op: 'add', path: '/a/b', value: 1 },
    ],
    [
      'a null parent',
      'APISERVER_JSON_PATCH_MISSING_PATH',
      { a: null },
      { op: 'add', path: '/a/b', value: 1 },
    ],
    [
      'a parent of text',
      'APISERVER_JSON_PATCH_MISSING_PATH',
      { a: 'x' },
      { op: 'add', path: '/a/b', value: 1 },
    ],
    [
      'a parent past the list',
      'APISERVER_JSON_PATCH_MISSING_PATH',
      [],
      { op: 'add', path: '/0/b', value: 1 },
    ],
    [
      'adding the root',
      'APISERVER_JSON_PATCH_MISSING_PATH',
      {},
      { op: 'add', path: '', value: {} },
    ],
    ['removing the root', 'APISERVER_JSON_PATCH_MISSING_PATH', {}, { op: 'remove', path: '' }],
    [
      'an index past the end',
      'APISERVER_JSON_PATCH_BAD_INDEX',
      [1],
      { op: 'add', path: '/2', value: 1 },
    ],
    [
      'an index before the start',
      'APISERVER_JSON_PATCH_BAD_INDEX',
      [1],
      { op: 'remove', path: '/-2' },
    ],
    [
      'a word as index',
      'APISERVER_JSON_PATCH_BAD_INDEX',
      [1],
      { op: 'replace', path: '/x', value: 1 },
    ],
    [
      'replacing past the end',
      'APISERVER_JSON_PATCH_BAD_INDEX',
      [1],
      { op: 'replace', path: '/1', value: 1 },
    ],
    [
      'the end as a place to read',
      'APISERVER_JSON_PATCH_BAD_INDEX',
      [1],
      { op: 'test', path: '/-', value: 1 },
    ],
    ['an unknown op', 'APISERVER_JSON_PATCH_MALFORMED', {}, { op: 'frobnicate', path: '/a' }],
    ['no op', 'APISERVER_JSON_PATCH_MALFORMED', {}, { path: '/a' }],
    ['a null operation', 'APISERVER_JSON_PATCH_MALFORMED', {}, null],
    ['no path', 'APISERVER_JSON_PATCH_MALFORMED', {}, { op: 'add', value: 1 }],
    ['no from', 'APISERVER_JSON_PATCH_MALFORMED', {}, { op: 'copy', path: '/a' }],
    [
      'a scalar as document',
      'APISERVER_JSON_PATCH_MALFORMED',
      {},
      { op: 'replace', path: '', value: 5 },
    ],
  ];
  for (const [what, code, document, operation] of refusals) {
    it(`rejects ${what}`, () => {
      const noop = { op: 'test', path: '', value: document };
      refuses(() => applyJsonPatch(document, wire([noop, operation])), code, 1);
    });
  }

  it('keeps a copy independent of its source', () => {
    const patch = wire([
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'add', path: '/b/x', value: 1 },
    ]);
    assert.deepEqual(applyJsonPatch({ a: {} }, patch), { a: {}, b: { x: 1 } });
  });

  it('does not consume the patch', () => {
    const patch = wire([
      { op: 'add', path: '/a', value: {} },
      { op: 'test', path: '/a', value: {} },
      { op: 'add', path: '/a/x', value: 1 },
    ]);
    assert.deepEqual(applyJsonPatch({}, patch), { a: { x: 1 } });
    assert.deepEqual(applyJsonPatch({}, patch), { a: { x: 1 } });
  });

  it('limits how much is copied', () => {
    const patch = wire([
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'copy', from: '/a', path: '/c' },
    ]);
    const document = { a: 'xx' };
    assert.deepEqual(applyJsonPatch(document, patch, { maxCopyBytes: 8 }), {
      a: 'xx',
      b: 'xx',
      c: 'xx',
    });
    refuses(
      () => applyJsonPatch(document, patch, { maxCopyBytes: 7 }),
      'APISERVER_JSON_PATCH_TOO_LARGE',
      1,
    );
  });

  it('reports which operation failed and where', () => {
    const message = (operation: JsonValue): string => {
      try {
        applyJsonPatch({}, wire([operation]));
      } catch (error) {
        return (error as Error).message;
      }
      return '';
    };
    assert.equal(
      message({ op: 'remove', path: '/a' }),
      "error in remove for path: '/a': Unable to remove nonexistent key: a: missing value",
    );
    assert.equal(
      message({ op: 'remove', path: '' }),
      'remove operation does not apply: doc is missing path: "": missing value',
    );
    assert.equal(message({ op: 'test', path: '', value: 1 }), 'testing value  failed: test failed');
    assert.equal(
      message({ op: 'test', path: '/a', value: 1 }),
      'testing value /a failed: test failed',
    );
  });

  it('never reaches the prototype of objects', () => {
    const patch = wire([{ op: 'add', path: '/__proto__/polluted', value: true }]);
    refuses(() => applyJsonPatch({}, patch), 'APISERVER_JSON_PATCH_MISSING_PATH', 0);
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
    const added = applyJsonPatch({}, wire([{ op: 'add', path: '/__proto__', value: 1 }]));
    assert.equal(JSON.stringify(added), '{"__proto__":1}');
  });
});

describe('parseJsonPatch', () => {
  const cases: readonly (readonly [JsonValue, string])[] = [
    ['x', 'json: cannot unmarshal string into Go value of type []handlers.jsonPatchOp'],
    [{}, 'json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'],
    [true, 'json: cannot unmarshal bool into Go value of type []handlers.jsonPatchOp'],
    [[5], 'json: cannot unmarshal number into Go value of type handlers.jsonPatchOp'],
    [[[]], 'json: cannot unmarshal array into Go value of type handlers.jsonPatchOp'],
    [
      [{ op: 5 }],
      'json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string',
    ],
    [
      [{ op: 'add', path: {} }],
      'json: cannot unmarshal object into Go struct field jsonPatchOp.path of type string',
    ],
  ];
  for (const [body, message] of cases) {
    it(`rejects ${JSON.stringify(body)}`, () => {
      refuses(() => parseJsonPatch(body), 'APISERVER_JSON_PATCH_MALFORMED');
      assert.throws(() => parseJsonPatch(body), { message });
    });
  }

  it('accepts what only the application can check', () => {
    assert.deepEqual(parseJsonPatch(null), []);
    const odd = [null, {}, { op: null, value: 5, extra: 1 }];
    assert.equal(parseJsonPatch(odd).length, 3);
  });
});

describe('properties', () => {
  const key = fc.constantFrom('a', 'b', '0', '1', '-', '-1', '~1');
  const path = fc
    .array(key, { maxLength: 3 })
    .map((parts) => parts.map((part) => `/${part}`).join(''));
  const value = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<JsonValue>(null, 1, 'x'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', '0'), tie('value'), {
        maxKeys: 3,
        noNullPrototype: true,
      }),
    ),
  })).value;
  const operation = fc.oneof(
    fc.record({ op: fc.constantFrom('add' as const, 'replace' as const), path, value }),
    fc.record({ op: fc.constant('remove' as const), path }),
    fc.record({ op: fc.constantFrom('copy' as const, 'move' as const), from: path, path }),
  );
  const document: fc.Arbitrary<JsonObject> = fc.dictionary(fc.constantFrom('a', 'b'), value, {
    noNullPrototype: true,
  });

  it('the arguments are never modified', () => {
    fc.assert(
      fc.property(document, fc.array(operation, { maxLength: 4 }), (target, patch) => {
        const before = JSON.stringify({ target, patch });
        try {
          applyJsonPatch(target, patch);
        } catch (error) {
          assert.ok(error instanceof JsonPatchError, String(error));
        }
        assert.equal(JSON.stringify({ target, patch }), before);
      }),
    );
  });

  it('a test of the result holds', () => {
    fc.assert(
      fc.property(document, fc.array(operation, { maxLength: 4 }), (target, patch) => {
        let result: JsonValue;
        try {
          result = applyJsonPatch(target, patch);
        } catch {
          return;
        }
        const tested = applyJsonPatch(target, [...patch, { op: 'test', path: '', value: result }]);
        assert.deepEqual(tested, result);
      }),
    );
  });

  it('adding and removing a new key changes nothing', () => {
    fc.assert(
      fc.property(document, value, (target, added) => {
        const patch: JsonPatchOperation[] = [
          { op: 'add', path: '/new', value: added },
          { op: 'remove', path: '/new' },
        ];
        assert.deepEqual(applyJsonPatch(target, patch), target);
      }),
    );
  });
});
