import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mediaTypeEssence, mediaTypeParameters } from './media-types.ts';

describe('media types', () => {
  it('have an essence, whatever their parameters and case', () => {
    assert.equal(mediaTypeEssence('application/json'), 'application/json');
    assert.equal(mediaTypeEssence('Application/JSON ; charset=utf-8'), 'application/json');
  });

  const parameters: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['application/json', {}],
    ['application/json;', {}],
    ['application/json;as=Table;v=v1', { as: 'Table', v: 'v1' }],
    ['application/json; v=v1 ; as=Table', { v: 'v1', as: 'Table' }],
    ['application/json;AS=Table', { as: 'Table' }],
    ['application/json;a="x;y=\\"z\\"";b=c', { a: 'x;y="z"', b: 'c' }],
    ['application/json;empty=;b=c', { empty: '', b: 'c' }],
    ['application/json;a=b;=broken;c=d', { a: 'b' }],
    ['application/json;a="never closed', {}],
  ];
  for (const [header, expected] of parameters) {
    it(`reads the parameters of ${header}`, () => {
      assert.deepEqual(Object.fromEntries(mediaTypeParameters(header)), expected);
    });
  }
});
