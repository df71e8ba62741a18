import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { findOptionBases, findOptionFaults } from './options.mjs';

/** @param {string} text */
const faults = (text) => findOptionFaults('p/src/a.ts', text);

describe('findOptionFaults', () => {
  it('refuses an optional property without undefined, also in a nested type', () => {
    const text = `export interface RunOptions {
  readonly limit?: number;
  readonly retry: { readonly delayMs?: number };
}`;
    assert.deepEqual(faults(text), [
      'p/src/a.ts:2: RunOptions.limit is optional; add "| undefined" to its type',
      'p/src/a.ts:3: RunOptions.delayMs is optional; add "| undefined" to its type',
    ]);
    assert.equal(faults('export type RunOptions = Base & { limit?: number };').length, 1);
    assert.equal(faults('export interface Config { server?: string | null }').length, 1);
  });

  it('checks the interfaces that options extend, in other files too', () => {
    const bases = findOptionBases('p/src/a.ts', 'export interface RunOptions extends Overrides {}');
    const text = 'export interface Overrides { context?: string }';
    assert.deepEqual(bases, ['Overrides']);
    assert.equal(findOptionFaults('p/src/b.ts', text, new Set(bases)).length, 1);
    assert.deepEqual(
      findOptionBases('p/src/a.ts', 'export interface Pod extends Overrides {}'),
      [],
    );
  });

  it('accepts undefined in a union, unknown, and required properties', () => {
    const text = `export interface RunOptions {
  readonly limit?: number | undefined;
  readonly cause?: unknown;
  readonly name: string;
}`;
    assert.deepEqual(faults(text), []);
  });

  it('ignores what callbacks receive', () => {
    const text = 'export interface RunOptions { onEnd: (end: { code?: number }) => void }';
    assert.deepEqual(faults(text), []);
  });

  it('ignores other types, and types that are not exported', () => {
    assert.deepEqual(faults('export interface Pod { name?: string }'), []);
    assert.deepEqual(faults('interface RunOptions { limit?: number }'), []);
    const exported = 'export interface RunOptions {}\ninterface Pod { name?: string }';
    assert.deepEqual(faults(exported), []);
  });
});
