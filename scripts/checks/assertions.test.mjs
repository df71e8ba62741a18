import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { findTestsWithoutAssertions } from './assertions.mjs';

const ASSERT = "import assert from 'node:assert/strict';\n";

/** @param {string} text @param {Record<string, string>} [others] */
function faults(text, others = {}) {
  const files = { 'p/src/a.test.ts': ASSERT + text, ...others };
  return findTestsWithoutAssertions(new Map(Object.entries(files)));
}

describe('findTestsWithoutAssertions', () => {
  it('accepts a test that asserts in its body or in a callback', () => {
    assert.deepEqual(faults("it('a', () => assert.ok(f()));"), []);
    assert.deepEqual(faults("test('a', async () => { await f(() => assert.fail()); });"), []);
    assert.deepEqual(faults("it('a', () => fc.assert(fc.property(x, f)));"), []);
  });

  it('refuses a test without an assertion beside one that has it', () => {
    assert.deepEqual(faults("it('a', () => assert.ok(1));\nit('b', async () => { await f(); });"), [
      "p/src/a.test.ts:3 asserts nothing: 'b'",
    ]);
  });

  it('accepts a function of the file that asserts, however deep', () => {
    const helpers = 'const one = (x) => assert.ok(x);\nfunction two(x) { list.forEach(one); }\n';
    assert.deepEqual(faults(`${helpers}it('a', () => two(1));`), []);
    assert.deepEqual(faults("function two() {}\nit('a', () => two(1));"), [
      "p/src/a.test.ts:3 asserts nothing: 'a'",
    ]);
  });

  it('accepts a method of an imported helper that asserts', () => {
    const text = "import { World } from './test-world.ts';\nit('a', () => new World().verify());";
    const world = (/** @type {string} */ body) => ({
      'p/src/test-world.ts': `${ASSERT}export class World { verify() { ${body} } }`,
    });
    assert.deepEqual(faults(text, world('assert.ok(1);')), []);
    assert.deepEqual(faults(text, world('return 1;')), ["p/src/a.test.ts:3 asserts nothing: 'a'"]);
  });
});
