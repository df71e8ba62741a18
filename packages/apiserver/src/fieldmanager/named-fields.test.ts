import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathsOf, setOf } from './field-set.ts';
import { fieldTypeOf } from './field-type.ts';
import { withNamedFields } from './named-fields.ts';
import { fieldElement, formatPath, keyElement, type PathElement } from './path-element.ts';
import { everything, schemaFrom } from './test-schema.ts';

const fields = (...names: string[]): PathElement[] => names.map(fieldElement);

test('fields of structs become members on the way to one, keys and items do not', () => {
  const item = keyElement([
    ['name', 'x'],
    ['protocol', 'TCP'],
  ]);
  const set = setOf(
    fields('struct', 'inner', 'b'),
    fields('free', 'key', 'a'),
    fields('unknown', 'a'),
    [fieldElement('items'), item, fieldElement('value')],
  );
  const named = withNamedFields(set, fieldTypeOf(schemaFrom(everything)));
  assert.deepEqual(
    Array.from(pathsOf(named), formatPath).toSorted(),
    [
      '.struct',
      '.struct.inner',
      '.struct.inner.b',
      '.free',
      '.free.key.a',
      '.unknown.a',
      '.items',
      '.items[name="x",protocol="TCP"].value',
    ].toSorted(),
  );
});
