import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nearest } from './nearest.ts';

test('suggests similar words only', () => {
  const words = ['get', 'watch', 'generate', 'api-resources', 'api-versions', 'pods-per-node'];
  const cases: [written: string, meant: string | undefined][] = [
    ['gte', 'get'],
    ['wacth', 'watch'],
    ['genrate', 'generate'],
    ['api-resource', 'api-resources'],
    ['api-verions', 'api-versions'],
    ['pods', 'pods-per-node'],
    ['Watch', 'watch'],
    ['x', undefined],
    ['delete', undefined],
    ['', undefined],
  ];
  for (const [written, meant] of cases) assert.equal(nearest(written, words), meant, written);
});
