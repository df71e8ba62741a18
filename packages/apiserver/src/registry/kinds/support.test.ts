import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { dropNulls, forAnyKind } from './support.ts';

describe('nulls', () => {
  it('are dropped, except in raw JSON', () => {
    const object = { a: null, b: [{ c: null, d: 1 }], data: { e: null }, parameters: { f: null } };
    dropNulls(object);
    assert.deepEqual(object, { b: [{ d: 1 }], data: { e: null }, parameters: { f: null } });
  });

  it('are restored after defaulting, unless a default replaced them', () => {
    const { setDefaults } = forAnyKind({
      setDefaults: (object: { metadata?: object; a?: unknown; b?: unknown }) => {
        assert.deepEqual(Object.keys(object), ['metadata']);
        object.a = 1;
      },
    });
    const object = { metadata: {}, a: null, b: null };
    setDefaults?.(object);
    assert.deepEqual(object, { metadata: {}, a: 1, b: null });
  });

  it('are hidden from every hook that changes objects', () => {
    const seen: unknown[] = [];
    const look = (object: object): void => void seen.push({ ...object });
    const strategy = forAnyKind({
      prepareForCreate: look,
      prepareForUpdate: (object, old) => [object, old].forEach(look),
      prepareForStatusUpdate: (object, old) => [object, old].forEach(look),
      subresources: {
        part: { prepare: (object, old) => [object, old].forEach(look), validate: () => [] },
      },
    });
    const object = (): object => ({ metadata: {}, a: null });
    const context = undefined as never;
    strategy.prepareForCreate?.(object(), context);
    strategy.prepareForUpdate?.(object(), object(), context);
    strategy.prepareForStatusUpdate?.(object(), object(), context);
    strategy.subresources?.['part']?.prepare(object(), object(), context);
    assert.deepEqual(
      seen,
      Array.from({ length: 7 }, () => ({ metadata: {} })),
    );
  });
});
