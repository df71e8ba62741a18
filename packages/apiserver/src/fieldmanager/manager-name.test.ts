import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { managerName, validateManagedFields, validateManagerName } from './manager-name.ts';

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

  test('is refused as a parameter if too long or unprintable', () => {
    assert.deepEqual(validateManagerName(''), []);
    assert.deepEqual(validateManagerName('é'.repeat(64)), []);
    assert.deepEqual(validateManagerName('é'.repeat(65)), [
      {
        reason: 'FieldValueTooLong',
        field: 'fieldManager',
        message: 'Too long: may not be more than 128 bytes',
      },
    ]);
    assert.deepEqual(validateManagerName('é\nb'), [
      {
        reason: 'FieldValueInvalid',
        field: 'fieldManager',
        message: String.raw`Invalid value: "é\nb": invalid character U+000A (at position 2)`,
      },
    ]);
  });
});

test('managedFields are checked entry by entry', () => {
  const good = { manager: 'm', operation: 'Update', fieldsType: 'FieldsV1' };
  assert.deepEqual(validateManagedFields([good, { operation: 'Apply' }]), []);
  const bad = {
    manager: '\u0007',
    operation: 'Nope',
    fieldsType: 'FieldsV2',
    subresource: 'x'.repeat(257),
  };
  assert.deepEqual(
    validateManagedFields([good, bad]).map(({ field, message }) => `${field}: ${message}`),
    [
      'metadata.managedFields[1].operation: Invalid value: "Nope": must be `Apply` or `Update`',
      'metadata.managedFields[1].fieldsType: Invalid value: "FieldsV2": must be `FieldsV1`',
      'metadata.managedFields[1].manager: Invalid value: "\\a": invalid character U+0007 (at position 0)',
      'metadata.managedFields[1].subresource: Too long: may not be more than 256 bytes',
    ],
  );
});
