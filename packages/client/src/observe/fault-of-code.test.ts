import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFaultOfCode } from './fault-of-code.ts';

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  assert.fail('nothing was thrown');
}

describe('isFaultOfCode', () => {
  const endless = (): never => endless();

  for (const [name, run] of Object.entries({
    'a property of undefined': () => (undefined as unknown as { name: string }).name,
    'a call of what is not a function': () => Reflect.apply(1 as never, undefined, []),
    'endless recursion': endless,
    'a fault that was wrapped': () => {
      throw new Error('reconcile failed', { cause: thrownBy(() => Object.create(1 as never)) });
    },
  })) {
    it(`is true for ${name}`, () => assert.equal(isFaultOfCode(thrownBy(run)), true));
  }

  for (const [name, run] of Object.entries({
    'an invalid URL': () => new URL('nowhere'),
    'text that is not JSON': () => JSON.parse('{'),
    'an error of the program': () => {
      throw new Error('the quota is used up');
    },
    'a failed fetch': () => {
      throw new TypeError('fetch failed', { cause: new Error('refused') });
    },
  })) {
    it(`is false for ${name}`, () => assert.equal(isFaultOfCode(thrownBy(run)), false));
  }
});
