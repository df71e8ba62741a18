import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import fc from 'fast-check';

import type { JsonObject } from '../../lib/json.ts';
import { parsePath, valuesAt } from '../../meta/field-path.ts';
import { JsonFrames, scanFrame } from '../frames.ts';
import { cuts, jsonBytes } from '../test-json-agreement.ts';
import { endOfValue, MALFORMED } from './json-grammar.ts';
import { readJsonPath } from './json-path.ts';
import { UNREADABLE } from './lazy-fields.ts';
import {
  type FrameState,
  LEFT,
  newScanMemory,
  type ScanMemory,
  scanMemory,
} from './scan-memory.ts';

const memory = scanMemory() as ScanMemory;

/** The end of the value at `start`, counted from the beginning of the bytes, as WebAssembly finds it. */
function scannedEnd(bytes: Buffer, start: number, limit: number): number {
  const at = memory.load(bytes, 0, bytes.length);
  const before = Buffer.from(memory.bytes.subarray(at, at + bytes.length + 1));
  const end = memory.endOfValue(at + start, at + limit);
  assert.deepEqual(memory.bytes.subarray(at, at + bytes.length + 1), before, 'the JSON is changed');
  return end === MALFORMED ? MALFORMED : end - at;
}

/** Strings of about one and two steps of the scan, with what ends a step anywhere in them. */
const text = fc
  .array(
    fc.constantFrom(
      'a',
      'bcdefg',
      'ü',
      '\\n',
      '\\"',
      '\\\\',
      '\\u00e9',
      '\\u00g9',
      '\u0001',
      '\u001f',
      '\u007f',
      '"',
    ),
    {
      maxLength: 40,
    },
  )
  .map((parts) => Buffer.from(`"${parts.join('')}"`));

const numbers = fc
  .array(fc.constantFrom('-', '+', '0', '1', '23', '.', 'e', 'E'), { maxLength: 8 })
  .map((parts) => Buffer.from(`[${parts.join('')}]`));

const words = fc
  .array(fc.constantFrom('true', 'false', 'null', 'tru', 'fals', 'e', 'l', 'nul', ',', '[', ']'), {
    maxLength: 6,
  })
  .map((parts) => Buffer.from(parts.join('')));

describe('a scan in WebAssembly', () => {
  it('finds the ends that the scan in TypeScript finds, in any bytes', () => {
    const anyBytes = fc.oneof(jsonBytes, text, numbers, words);
    fc.assert(
      fc.property(anyBytes, fc.nat(), fc.nat(), (bytes, first, second) => {
        const limit = bytes.length - (first % 4 === 0 ? second % (bytes.length + 1) : 0);
        const start = first % 3 === 0 ? second % (limit + 1) : 0;
        assert.equal(scannedEnd(bytes, start, limit), endOfValue(bytes, start, limit));
      }),
      { numRuns: 20_000 },
    );
  });

  it('leaves deep nesting to TypeScript', () => {
    for (const depth of [63, 64, 65, 1000]) {
      for (const [open, close] of [
        ['[', ']'],
        ['{"a":', '}'],
        ['[{"a":', '}]'],
      ] as const) {
        const bytes = Buffer.from(`${open.repeat(depth)}1${close.repeat(depth)} `);
        assert.equal(scannedEnd(bytes, 0, bytes.length), bytes.length - 1);
        assert.equal(scannedEnd(bytes, 0, bytes.length - 2), MALFORMED);
      }
    }
  });

  it('reads up to the end of the memory', () => {
    let bytes = Buffer.alloc(memory.bytes.length, 'a');
    while (memory.load(bytes, 0, bytes.length) === LEFT) bytes = bytes.subarray(1);
    assert.ok(bytes.length > 256 * 1024);
    bytes[0] = 0x22;
    assert.equal(scannedEnd(bytes, 0, bytes.length), MALFORMED);
    bytes[bytes.length - 1] = 0x22;
    assert.equal(scannedEnd(bytes, 0, bytes.length), bytes.length);
  });
});

describe('a path that is read in WebAssembly', () => {
  const read = (json: string, path: string, place: ScanMemory | undefined): unknown => {
    const bytes = Buffer.from(` ${json}`);
    return readJsonPath({ bytes, start: 1, end: bytes.length }, parsePath(`x.${path}`), place);
  };
  /** Reads from JSON that has been scanned and is still loaded. */
  const readLoaded = (json: string, path: string): unknown => {
    const bytes = Buffer.from(` ${json}`);
    const start = memory.load(bytes, 0, bytes.length) + 1;
    const end = memory.endOfValue(start, start + bytes.length - 1);
    return readJsonPath({ bytes: memory.bytes, start, end }, parsePath(`x.${path}`), memory);
  };

  it('leads where JSON.parse and TypeScript lead', () => {
    const name = fc.constantFrom('a', 'b', 'ab', 'a\\u0062', 'a-name-of-more-than-16-bytes');
    const { json } = fc.letrec<{ json: string; object: string }>((tie) => ({
      object: fc
        .array(fc.tuple(name, tie('json')), { maxLength: 5 })
        .map((list) => `{${list.map(([key, value]) => ` "${key}": ${value}`).join(',')}}`),
      json: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('1', '"text"', 'null', 'true', '"\\u00e9"', '[{"a":1},{"a":"b"}]', '{}'),
        tie('object'),
      ),
    }));
    const path = fc.constantFrom(
      'a',
      'b',
      'ab',
      'a.b',
      'a[*].a',
      'a.ab.b',
      'a-name-of-more-than-16-bytes',
    );
    fc.assert(
      fc.property(json, path, (value, steps) => {
        const plain = { x: JSON.parse(value) as JsonObject };
        const expected = valuesAt(plain, parsePath(`x.${steps}`));
        const ways = [read(value, steps, memory), read(value, steps, undefined)];
        for (const found of [...ways, readLoaded(value, steps)]) {
          if (found !== UNREADABLE) assert.deepEqual(found, expected);
          else assert.match(value, /\\/, 'only keys with escapes are unreadable');
        }
      }),
      { numRuns: 5000 },
    );
  });

  it('is left to the decoder behind keys with escapes, deep nesting and long names', () => {
    const deep = `${'['.repeat(100)}${']'.repeat(100)}`;
    assert.equal(read('{"\\u0062":1,"a":2}', 'a', memory), UNREADABLE);
    assert.equal(read(`{"b":${deep},"a":2}`, 'a', memory), UNREADABLE);
    const long = 'n'.repeat(1000);
    assert.equal(read(`{"${long}":2}`, long, memory), UNREADABLE);
    assert.equal(read(`{"${long}":2}`, long, undefined), 2);
  });

  it('leads there when the JSON is loaded already, with deep nesting and more members than the table has', () => {
    assert.equal(readLoaded('{"a":1,"b":{"a":2},"a":{"c":3}}', 'a.c'), 3);
    assert.equal(readLoaded('{"\\u0062":1,"a":2}', 'a'), UNREADABLE);
    const deep = `${'['.repeat(100)}${']'.repeat(100)}`;
    assert.equal(readLoaded(`{"a":2,"b":${deep},"a":3}`, 'a'), UNREADABLE);
    const members = Array.from({ length: 600 }, (_, nth) => `"m${nth}":${nth}`);
    for (const nth of [0, 511, 512, 599]) {
      assert.equal(readLoaded(`{${members.join(',')}}`, `m${nth}`), nth);
    }
  });
});

describe('a frame that is scanned in WebAssembly', () => {
  it('ends where it ends in TypeScript, however it is cut', () => {
    const anyBytes = fc.oneof(
      jsonBytes,
      text,
      fc.array(fc.oneof(jsonBytes, text)).map((list) => Buffer.concat(list)),
    );
    fc.assert(
      fc.property(anyBytes, cuts, fc.nat(2), (bytes, places, depth) => {
        const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length];
        const scanned: FrameState = { depth, inString: false, escaped: false };
        const expected: FrameState = { ...scanned };
        let start = 0;
        for (const end of ends.toSorted((left, right) => left - right)) {
          const chunk = bytes.subarray(start, end);
          const size = memory.scanFrame(chunk, scanned);
          assert.equal(size, scanFrame(chunk, expected));
          assert.deepEqual(scanned, expected);
          start = end;
        }
      }),
      { numRuns: 10_000 },
    );
  });

  it('is scanned in parts if a chunk is longer than the memory', () => {
    const whole = Buffer.from(`{"a":"${'}'.repeat(3 * memory.capacity)}"}`);
    const frames = new JsonFrames();
    frames.push(whole);
    assert.equal(frames.next()?.length, whole.length);
  });

  it('is loaded without all the frames that follow it in a chunk', (t) => {
    const load = t.mock.method(memory, 'load');
    const frame = `{"a":"${'x'.repeat(200)}"}\n`;
    const loadedOf = (count: number): number => {
      load.mock.resetCalls();
      const frames = new JsonFrames();
      frames.push(Buffer.from(frame.repeat(count)));
      for (let nth = 0; nth < count; nth += 1) assert.equal(frames.next()?.length, 208);
      return load.mock.calls.reduce((sum, call) => sum + call.arguments[2], 0);
    };
    assert.ok(loadedOf(1000) > 0);
    assert.ok(loadedOf(1000) < 12 * loadedOf(100));
  });
});

describe('newScanMemory', () => {
  it('makes none where WebAssembly is missing or refuses', () => {
    const refuse = function refuse(): never {
      throw new RangeError('could not allocate memory');
    } as never;
    assert.equal(newScanMemory(undefined), undefined);
    assert.equal(newScanMemory({ Module: refuse, Instance: refuse }), undefined);
  });
});
