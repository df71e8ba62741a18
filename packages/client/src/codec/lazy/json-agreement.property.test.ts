import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import fc from 'fast-check';

import { assertLinear } from '../../lib/test-growth.ts';
import { jsonCodec } from '../codec.ts';
import { assertEventsAgree, assertListsAgree, cuts, jsonBytes } from '../test-json-agreement.ts';
import { endOfValue, MALFORMED } from './json-grammar.ts';
import { readOnlyCodecFor } from './read-only-codec.ts';

const readOnly = readOnlyCodecFor(jsonCodec.mediaType);

describe('the read-only and the plain codec', () => {
  it('make the same of texts on which they differed', async () => {
    for (const text of [
      '{"type":"ADDED","object":{},"x":garbage}',
      '{"type":"ADDED","object":{"spec":{"a":{"b":tru}}}}',
      '{"type":"ADDED","object":{"a":01}}',
      '{"type":"ADDED","object":{"a":"\\x"}}',
      '{"type":"ADDED","object":{}} \r\n{"type":"ADDED"',
      '{"items":[1]}',
      '{"items":[{},1]}',
      '{"items":[{}],"items":1}',
      '{"items":1,"items":[{}]}',
      '{"items":[{}],"items":[]}',
      '{"items":[{"a":"\u0001"}]}',
      '{"items":[{}],"x":}',
      '\uFEFF{"items":[]}',
    ]) {
      const bytes = Buffer.from(text);
      await assertListsAgree(bytes);
      assertEventsAgree(bytes, [3, 11, 27]);
    }
  });

  it('make the same of any stream, however it is cut', () => {
    fc.assert(fc.property(jsonBytes, cuts, assertEventsAgree), { numRuns: 3000 });
  });

  it('make the same of any body', async () => {
    await fc.assert(fc.asyncProperty(jsonBytes, assertListsAgree), { numRuns: 3000 });
  });

  it('read nesting of any depth', async () => {
    const depth = 100_000;
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const text = `${open.repeat(depth)}1${close.repeat(depth)}`;
      const bytes = Buffer.from(`{"items":[{"spec":{"deep":${text}}}]}`);
      const { items } = await readOnly.decodeList<{ items: { spec: { deep: unknown } }[] }>(bytes);
      let value = items[0]?.spec.deep;
      let levels = 0;
      while (typeof value === 'object' && value !== null) {
        assert.ok(Object.isFrozen(value));
        [value] = Object.values(value);
        levels += 1;
      }
      assert.equal(levels, depth);
    }
  });
});

describe('endOfValue', () => {
  it('accepts what JSON.parse accepts, and nothing else', () => {
    fc.assert(
      fc.property(jsonBytes, (bytes) => {
        const end = endOfValue(bytes, 0, bytes.length);
        const isWhole =
          end !== MALFORMED && /^[ \t\r\n]*$/.test(bytes.toString('latin1', end, bytes.length));
        assert.equal(isWhole, isJson(bytes.toString()));
      }),
      { numRuns: 3000 },
    );
  });

  it('takes linear time', () => {
    const inputs: Readonly<Record<string, (size: number) => string>> = {
      'open brackets': (size) => '['.repeat(size),
      'open objects': (size) => '{"a":'.repeat(size),
      quotes: (size) => '["'.repeat(size),
      backslashes: (size) => `"${'\\'.repeat(size)}`,
      spaces: (size) => `[${' '.repeat(size)}`,
      digits: (size) => `[${'1'.repeat(size)}x`,
    };
    for (const [what, text] of Object.entries(inputs)) {
      const inputOf = (size: number): Buffer => Buffer.from(text(size));
      assertLinear(what, (bytes) => endOfValue(bytes, 0, bytes.length), inputOf, 200_000);
    }
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
