import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from 'client-ts/meta';

import { parseWriteOptions, type WriteOptions } from './write-options.ts';

type Kind = Parameters<typeof parseWriteOptions>[0];

function parse(query: string, kind: Kind = 'CreateOptions', isApply = false): WriteOptions {
  return parseWriteOptions(kind, new URLSearchParams(query), { isApply });
}

/** Returns the causes of the error. */
function causes(query: string, kind: Kind = 'CreateOptions', isApply = false): string[] {
  try {
    parse(query, kind, isApply);
  } catch (error) {
    assert.ok(error instanceof ApiError);
    assert.equal(error.status.code, 422);
    assert.equal(error.status.details?.kind, kind);
    assert.equal(error.status.details?.group, 'meta.k8s.io');
    return (error.status.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`);
  }
  return [];
}

describe('parseWriteOptions', () => {
  it('has defaults', () => {
    assert.deepEqual(parse(''), {
      dryRun: false,
      fieldManager: '',
      fieldValidation: 'Warn',
      force: undefined,
    });
    assert.equal(parse('fieldValidation=').fieldValidation, 'Warn');
  });

  it('reads all options', () => {
    const query = 'dryRun=All&fieldManager=me&fieldValidation=Strict&force=true';
    assert.deepEqual(parse(query, 'PatchOptions', true), {
      dryRun: true,
      fieldManager: 'me',
      fieldValidation: 'Strict',
      force: true,
    });
    assert.equal(parse('force=0&fieldManager=me', 'PatchOptions', true).force, false);
    assert.equal(parse('dryRun=All&dryRun=All').dryRun, true);
  });

  it('requires a manager for apply, and allows force only for apply', () => {
    assert.deepEqual(causes('', 'PatchOptions', true), [
      'fieldManager: Required value: is required for apply patch',
    ]);
    assert.deepEqual(causes('force=false', 'PatchOptions'), [
      'force: Forbidden: may not be specified for non-apply patch',
    ]);
    assert.deepEqual(causes('force=true', 'UpdateOptions'), []);
  });

  it('rejects unknown values', () => {
    assert.deepEqual(causes('dryRun=Some'), [
      'dryRun: Unsupported value: ["Some"]: supported values: "All"',
    ]);
    assert.deepEqual(causes('dryRun=All&dryRun='), [
      'dryRun: Unsupported value: ["All",""]: supported values: "All"',
    ]);
    assert.deepEqual(causes('fieldValidation=Odd'), [
      'fieldValidation: Unsupported value: "Odd": supported values: "", "Ignore", "Strict", "Warn"',
    ]);
  });

  it('accepts printable manager names up to 128 bytes', () => {
    assert.deepEqual(causes(`fieldManager=${'x'.repeat(128)}`), []);
    assert.deepEqual(causes('fieldManager=%E2%82%AC+ok'), []);
    assert.deepEqual(causes(`fieldManager=${'x'.repeat(129)}`), [
      'fieldManager: Too long: may not be more than 128 bytes',
    ]);
    // Positions are in bytes: the euro sign has three.
    assert.deepEqual(causes('fieldManager=%E2%82%AC%01'), [
      `fieldManager: Invalid value: "€\\x01": invalid character U+0001 (at position 3)`,
    ]);
  });

  it('reports all errors together', () => {
    const query = 'dryRun=x&fieldValidation=y&force=true';
    assert.equal(causes(query, 'PatchOptions').length, 3);
  });
});
