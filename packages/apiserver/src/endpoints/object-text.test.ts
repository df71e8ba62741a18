import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';

import { shareParts } from '../store/shared-values.ts';
import type { StoredObject } from '../store/store.ts';
import { objectText } from './object-text.ts';

test('the text is that of JSON.stringify, with and without shared parts', () => {
  const entry = fc.oneof(
    fc.jsonValue(),
    fc.record({ manager: fc.string(), fieldsV1: fc.jsonValue(), none: fc.constant(undefined) }),
  );
  const metadata = fc.record(
    { name: fc.string(), labels: fc.jsonValue(), managedFields: fc.array(entry) },
    { requiredKeys: [] },
  );
  const anyObject = fc.record(
    {
      kind: fc.string(),
      apiVersion: fc.string(),
      metadata: fc.oneof(metadata, fc.constant(undefined)),
      spec: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()),
      status: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(anyObject, fc.boolean(), (fields, isShared) => {
      const object = fields as StoredObject;
      const { kind: _kind, apiVersion: _apiVersion, ...item } = fields;
      const [whole, alone] = [JSON.stringify(fields), JSON.stringify(item)];
      if (isShared) shareParts(object);
      assert.equal(objectText(object, { typeMeta: true }), whole);
      assert.equal(objectText(object, { typeMeta: false }), alone);
    }),
  );
});
