import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { cloneJson, isJsonObject, type JsonObject, type JsonValue } from '../lib/json.ts';
import {
  applyMergePatch,
  createJsonPatch,
  createMergePatch,
  type JsonPatchOperation,
} from './patch.ts';

describe('applyMergePatch', () => {
  const cases: readonly (readonly [JsonValue, JsonValue, JsonValue])[] = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: { b: 'c' } }, { a: [1] }, { a: [1] }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{ a: 'foo' }, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    [{ a: 'b' }, {}, { a: 'b' }],
    [{ a: 'b' }, ['c'], ['c']],
    [['a'], { a: 'b', c: null }, { a: 'b' }],
    ['x', 'y', 'y'],
    [{ a: 1 }, null, null],
  ];
  for (const [target, patch, result] of cases) {
    it(`${JSON.stringify(target)} with ${JSON.stringify(patch)}`, () => {
      assert.deepEqual(applyMergePatch(target, patch), result);
    });
  }

  it('drops nulls inside of new lists, but not inside of lists that replace an object', () => {
    const patch = { a: [{ b: null, c: [null] }, null] };
    assert.deepEqual(applyMergePatch({}, patch), { a: [{ c: [null] }, null] });
    assert.deepEqual(applyMergePatch({ a: [] }, patch), { a: [{ c: [null] }, null] });
    assert.deepEqual(applyMergePatch({ a: {} }, patch), patch);
  });

  it('keeps the order of keys, with new ones at the end', () => {
    const result = applyMergePatch({ b: 1, a: { d: 1, c: 1 } }, { z: 1, a: { c: 2 }, b: 2 });
    assert.equal(JSON.stringify(result), '{"b":2,"a":{"d":1,"c":2},"z":1}');
  });

  it('treats an undefined key as absent', () => {
    assert.deepEqual(applyMergePatch({ a: 1 }, { a: undefined }), { a: 1 });
  });

  it('treats odd keys as keys', () => {
    const target = JSON.parse('{"__proto__":{"a":1},"constructor":1}') as JsonObject;
    const patch = JSON.parse('{"__proto__":{"b":2},"toString":{"c":3}}') as JsonObject;
    assert.equal(
      JSON.stringify(applyMergePatch(target, patch)),
      '{"__proto__":{"a":1,"b":2},"constructor":1,"toString":{"c":3}}',
    );
    assert.equal(({} as { b?: unknown }).b, undefined);
  });
});

describe('createMergePatch', () => {
  const cases: readonly (readonly [JsonObject, JsonObject, JsonObject])[] = [
    [{}, {}, {}],
    [{ a: 1 }, { a: 1 }, {}],
    [{ a: 1 }, { a: 2 }, { a: 2 }],
    [{ a: 1 }, {}, { a: null }],
    [{}, { a: { b: 1 } }, { a: { b: 1 } }],
    [{ a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, { a: { c: 3 } }],
    [{ a: [1, 2] }, { a: [1, 3] }, { a: [1, 3] }],
    [{ a: [1, 2] }, { a: [1, 2] }, {}],
    [{ a: 1 }, { a: '1' }, { a: '1' }],
    [{ a: { b: 1 } }, { a: 1 }, { a: 1 }],
    [{ a: null }, { a: 1 }, { a: 1 }],
    [{ a: 1, b: undefined }, { a: 1, c: undefined }, {}],
  ];
  for (const [from, to, patch] of cases) {
    it(`${JSON.stringify(from)} to ${JSON.stringify(to)}`, () => {
      assert.deepEqual(createMergePatch(from, to), patch);
    });
  }
});

describe('properties', () => {
  const json = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom<JsonValue>(null, true, 1, 2, 'x', ''),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('object'),
    ),
    object: fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), tie('value'), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  }));

  function hasNull(value: JsonValue | undefined): boolean {
    if (Array.isArray(value)) return value.some(hasNull);
    return isJsonObject(value)
      ? Object.values(value).some((item) => item === null || hasNull(item))
      : false;
  }

  it('a created patch leads from one to the other', () => {
    fc.assert(
      fc.property(json.object, json.object, (from, to) => {
        fc.pre(!hasNull(to));
        assert.deepEqual(applyMergePatch(from, createMergePatch(from, to)), to);
      }),
    );
  });

  it('applying twice changes nothing more', () => {
    fc.assert(
      fc.property(json.object, json.object, (target, patch) => {
        const once = applyMergePatch(target, patch);
        fc.pre(!hasNull(patch));
        assert.deepEqual(applyMergePatch(once, patch), once);
      }),
    );
  });

  it('the arguments stay as they were, and the result shares nothing with them', () => {
    fc.assert(
      fc.property(json.object, json.object, (target, patch) => {
        const before = cloneJson([target, patch]);
        const result = applyMergePatch(target, patch);
        scribble(result);
        assert.deepEqual([target, patch], before);
      }),
    );
  });

  it('a created patch shares nothing with what it was made from', () => {
    fc.assert(
      fc.property(json.object, json.object, (from, to) => {
        const before = cloneJson([from, to]);
        scribble(createMergePatch(from, to));
        assert.deepEqual([from, to], before);
      }),
    );
  });

  function scribble(value: JsonValue): void {
    if (Array.isArray(value)) {
      value.forEach(scribble);
      value.push('scribbled');
    } else if (isJsonObject(value)) {
      for (const item of Object.values(value)) if (item !== undefined) scribble(item);
      value['scribbled'] = true;
    }
  }
});

/** Applies the operations that `createJsonPatch` uses, on a copy. */
function applyOperations(document: JsonValue, patch: readonly JsonPatchOperation[]): JsonValue {
  const root: JsonObject = { '': cloneJson(document) };
  for (const operation of patch) {
    const path = ['', ...operation.path.split('/').slice(1)].map((part) =>
      part.replaceAll('~1', '/').replaceAll('~0', '~'),
    );
    const key = path.pop() ?? '';
    const parent = path.reduce<JsonValue | undefined>(
      (value, part) => (value as JsonObject)[part],
      root,
    );
    if (Array.isArray(parent)) {
      const index = Number(key);
      assert.ok(index <= parent.length - (operation.op === 'add' ? 0 : 1), operation.path);
      const values = 'value' in operation ? [operation.value] : [];
      parent.splice(index, operation.op === 'add' ? 0 : 1, ...values);
    } else if ('value' in operation) {
      assert.equal(key in (parent as JsonObject), operation.op === 'replace', operation.path);
      (parent as JsonObject)[key] = operation.value;
    } else {
      assert.ok(key in (parent as JsonObject), operation.path);
      delete (parent as JsonObject)[key];
    }
  }
  return root[''] ?? null;
}

describe('createJsonPatch', () => {
  it('turns any document into any other', () => {
    const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
      json: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom<JsonValue>(null, 0, 1, 'a', 'b', true),
        fc.array(tie('json'), { maxLength: 5 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'x/y', 'm~n', ''), tie('json')),
      ),
    }));
    fc.assert(
      fc.property(json, json, (from, to) => {
        const plain = JSON.parse(JSON.stringify([from, to])) as [JsonValue, JsonValue];
        const patch = createJsonPatch(plain[0], plain[1]);
        assert.deepEqual(applyOperations(plain[0], patch), plain[1]);
      }),
      { numRuns: 1000 },
    );
  });

  it('is empty for equal documents, and changes only what differs', () => {
    assert.deepEqual(createJsonPatch({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }), []);
    const from = { labels: { app: 'web' }, ports: [{ p: 1 }, { p: 2 }, { p: 3 }], gone: 1 };
    const to = {
      labels: { app: 'web', 'x/y': '~' },
      ports: [{ p: 1 }, { p: 9 }, { p: 2 }, { p: 3 }],
    };
    assert.deepEqual(createJsonPatch(from, to), [
      { op: 'add', path: '/labels/x~1y', value: '~' },
      { op: 'add', path: '/ports/1', value: { p: 9 } },
      { op: 'remove', path: '/gone' },
    ]);
  });
});
