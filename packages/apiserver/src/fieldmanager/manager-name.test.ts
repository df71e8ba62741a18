import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { managerName } from './manager-name.ts';

describe('the name of a manager', () => {
  test('is the parameter, or else the program of the user agent', () => {
    assert.equal(managerName('me', 'kubectl/v1.36'), 'me');
    assert.equal(managerName('', 'kubectl/v1.36 (linux)'), 'kubectl');
    assert.equal(managerName(undefined, 'no slash'), 'no slash');
  });

  test('is "unknown" if nothing tells', () => {
    assert.equal(managerName(undefined, undefined), 'unknown');
    assert.equal(managerName('', '/v1'), 'unknown');
    assert.equal(managerName(undefined, '\u0000\t/1'), 'unknown');
  });

  test('is cut to 128 bytes without cutting a character', () => {
    assert.equal(managerName(undefined, 'x'.repeat(200)), 'x'.repeat(128));
    assert.equal(managerName(undefined, `${'x'.repeat(127)}é`), 'x'.repeat(127));
    assert.equal(managerName(undefined, 'a\u0001b'), 'ab');
  });
});
