import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { assertLinear } from '../lib/test-growth.ts';
import {
  compareQuantities,
  normalizeQuantity,
  parseQuantity,
  QuantityError,
  type QuantityFormat,
  QuantityValue,
} from './quantity.ts';
import {
  checkQuantity,
  longQuantities,
  parsedOrRefused,
  quantityTexts,
} from './test-quantities.ts';

describe('parseQuantity and toString', () => {
  /** Text, what a server writes for it, and its canonical form if that differs. */
  const readings: readonly (readonly [string, string, string?])[] = [
    ['0', '0'],
    ['00', '0'],
    ['0Ki', '0'],
    ['-0', '0'],
    ['1000m', '1'],
    ['0.5', '500m'],
    ['.5', '500m'],
    ['1.0', '1'],
    ['1.', '1.', '1'],
    ['1.5', '1500m'],
    ['100u', '100u'],
    ['0.0001', '100u'],
    ['1000Ki', '1000Ki'],
    ['1024Mi', '1Gi'],
    ['1.5Gi', '1536Mi'],
    ['1.5Ki', '1536'],
    ['0.5Ki', '512'],
    ['1023', '1023'],
    ['8Ki', '8Ki'],
    ['1024Ki', '1Mi'],
    ['2048', '2048'],
    ['1073741824', '1073741824'],
    ['1048576k', '1048576k'],
    ['1000000k', '1G'],
    ['1e3', '1e3'],
    ['1E3', '1E3', '1e3'],
    ['1e4', '10e3'],
    ['1e-1', '100e-3'],
    ['10e3', '10e3'],
    ['1E', '1E'],
    ['+1', '+1', '1'],
    ['0100', '0100', '100'],
    ['1.500', '1.500', '1500m'],
    ['-1.5Gi', '-1536Mi'],
    ['0.1n', '1n'],
    ['-0.1n', '-1n'],
    ['1.0000000001', '1000000001n'],
    ['1e-10', '1e-9'],
    ['1.0001Ki', '1024102400u'],
    ['99999999999999999999Gi', '9223372036854775807'],
    ['-99999999999999999999Gi', '-9223372036854775807'],
    ['1.5Ei', '1536Pi'],
    ['99999999999999999999999', '99999999999999999999999'],
    ['1000E', '1e21'],
    ['+123456789012345678', '+123456789012345678', '123456789012345678'],
    ['+1234567890123456789', '1234567890123456789'],
    ['+12345678901Ki', '+12345678901Ki', '12345678901Ki'],
    ['+123456789013Ki', '123456789013Ki'],
    ['+1n', '+1n', '1n'],
    ['+1.000000001', '+1.000000001', '1000000001n'],
    ['1e1000', '10e999'],
    ['Ki', '0'],
    ['-', '0'],
    ['.', '0'],
  ];
  for (const [text, written, canonical = written] of readings) {
    it(`${text} is written ${written}`, () => {
      const quantity = parseQuantity(text);
      assert.equal(quantity.toString(), written);
      assert.equal(JSON.stringify({ quantity }), JSON.stringify({ quantity: written }));
      assert.equal(quantity.toCanonicalString(), canonical);
    });
  }

  const form =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  const suffix = "unable to parse quantity's suffix";
  const numeric = 'unable to parse numeric part of quantity';
  const refusals: readonly (readonly [string, string])[] = [
    ['', form],
    [' 1', form],
    ['1Zi', form],
    ['1.5.5', form],
    ['--1.', form],
    ['1_0', form],
    ['one', form],
    ['1K', suffix],
    ['--1', suffix],
    ['1e', suffix],
    ['1ki', suffix],
    ['1m3', suffix],
    ['1i', suffix],
    ['1e99999999999999999999', suffix],
    ['1e1001', suffix],
    ['Ei', numeric],
    ['.e-19', numeric],
  ];
  for (const [text, message] of refusals) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.throws(
        () => parseQuantity(text),
        (error) => {
          assert.ok(error instanceof QuantityError);
          assert.equal(error.message, message);
          assert.equal(error.code, 'META_QUANTITY_INVALID');
          assert.ok(error.hint?.includes(JSON.stringify(text)));
          return true;
        },
      );
    });
  }

  it('finds the notation', () => {
    const formats = ['1', '1k', '1e3', '1Ki', '0Ki', '0.0009765625Ki', '0.0001Ki'].map(
      (text) => parseQuantity(text).format,
    );
    assert.deepEqual(formats, [
      'DecimalSI',
      'DecimalSI',
      'DecimalExponent',
      'BinarySI',
      'BinarySI',
      'BinarySI',
      'DecimalSI',
    ]);
  });

  it('takes numbers', () => {
    assert.equal(parseQuantity(2).toString(), '2');
    assert.equal(parseQuantity(0.5).toString(), '500m');
    assert.equal(parseQuantity(1e21).compare(parseQuantity('1e21')), 0);
  });
});

describe('normalizeQuantity', () => {
  it('writes what a server writes', () => {
    assert.equal(normalizeQuantity('0.5'), '500m');
    assert.equal(normalizeQuantity(' 1 '), '1');
    assert.equal(normalizeQuantity(1073741824), '1073741824');
    assert.equal(normalizeQuantity(null), '0');
  });
});

describe('QuantityValue', () => {
  it('compares amounts, not texts', () => {
    assert.equal(compareQuantities('1000m', '1'), 0);
    assert.equal(compareQuantities('1Ki', '1k'), 1);
    assert.equal(compareQuantities('999m', 1), -1);
    assert.equal(compareQuantities('-1', '0'), -1);
    assert.ok(parseQuantity('1Gi').equals(parseQuantity('1024Mi')));
    assert.equal(parseQuantity('1Gi').equals(parseQuantity('1G')), false);
  });

  it('adds and subtracts in its own notation', () => {
    const sum = (left: string, right: string): string =>
      parseQuantity(left).add(parseQuantity(right)).toString();
    const difference = (left: string, right: string): string =>
      parseQuantity(left).sub(parseQuantity(right)).toString();
    assert.equal(sum('1Gi', '512Mi'), '1536Mi');
    assert.equal(sum('1Gi', '1M'), '1074741824');
    assert.equal(sum('100m', '1'), '1100m');
    assert.equal(sum('1e3', '1k'), '2e3');
    assert.equal(sum('0', '1Gi'), '1Gi');
    assert.equal(difference('1', '1500m'), '-500m');
    assert.equal(difference('0', '2Gi'), '-2Gi');
    assert.equal(difference('1Gi', '1Gi'), '0');
    assert.equal(sum('1024Ei', '1'), '8Ei');
    assert.equal(QuantityValue.of(2n ** 70n, 'BinarySI').toString(), '1024Ei');
  });

  it('forgets a kept text when the amount changes', () => {
    assert.equal(parseQuantity('1.500').add(parseQuantity('0')).toString(), '1500m');
    assert.equal(parseQuantity('+1').negate().toString(), '-1');
  });

  it('multiplies and negates', () => {
    assert.equal(parseQuantity('100m').mul(25).toString(), '2500m');
    assert.equal(parseQuantity('1Gi').mul(3n).toString(), '3Gi');
    assert.equal(parseQuantity('100m').negate().toString(), '-100m');
  });

  it('rounds away from zero', () => {
    assert.equal(parseQuantity('100u').roundUp(-3).toString(), '1m');
    assert.equal(parseQuantity('-100u').roundUp(-3).toString(), '-1m');
    assert.equal(parseQuantity('1.500').roundUp(-3).toString(), '1.500');
    assert.equal(parseQuantity('1500m').roundUp(0).toString(), '2');
    assert.equal(parseQuantity('1001').roundUp(3).toString(), '2k');
  });

  it('converts to integers and numbers', () => {
    assert.equal(parseQuantity('1500m').value(), 2n);
    assert.equal(parseQuantity('-1500m').value(), -2n);
    assert.equal(parseQuantity('1.5').milliValue(), 1500n);
    assert.equal(parseQuantity('1Gi').value(), 1073741824n);
    assert.equal(parseQuantity('1G').scaledValue(6), 1000n);
    assert.equal(parseQuantity('250m').toNumber(), 0.25);
    assert.equal(parseQuantity('-1.5Gi').toNumber(), -1610612736);
  });

  it('has a sign, which is 0 for zero', () => {
    assert.ok(parseQuantity('0Ki').isZero);
    assert.equal(parseQuantity('1n').isZero, false);
    assert.deepEqual(
      ['-1', '0', '1'].map((text) => parseQuantity(text).sign),
      [-1, 0, 1],
    );
  });

  it('is made from units', () => {
    assert.equal(QuantityValue.of(5).toString(), '5');
    assert.equal(QuantityValue.of(1536, 'BinarySI').toString(), '1536');
    assert.equal(QuantityValue.of(1024, 'BinarySI').toString(), '1Ki');
    assert.equal(QuantityValue.of(2048n, 'BinarySI').toString(), '2Ki');
    assert.equal(QuantityValue.of(5, 'DecimalSI', -3).toString(), '5m');
    assert.equal(QuantityValue.of(1, 'DecimalSI', -12).toString(), '1n');
    assert.throws(() => QuantityValue.of(1.5), RangeError);
  });
});

describe('properties', () => {
  const value = fc
    .record({
      nanos: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
      format: fc.constantFrom<QuantityFormat>('BinarySI', 'DecimalExponent', 'DecimalSI'),
    })
    .map(({ nanos, format }) => QuantityValue.of(nanos, format, -9));

  it('what is written reads back as the same amount, and is written the same again', () => {
    fc.assert(fc.property(quantityTexts, checkQuantity), { numRuns: 2000 });
  });

  it('texts whose canonical form was not stable keep it', () => {
    for (const text of ['-400e1000', '-400e998', '+48312.50Ki', '4000Ki', '1e1000', '999e998']) {
      checkQuantity(text);
    }
    assert.equal(parseQuantity('+48312.50Ki').toString(), '49472k');
    assert.throws(() => parseQuantity('-400e1000'), QuantityError);
  });

  it('reading takes linear time', () => {
    for (const [what, text] of Object.entries(longQuantities)) {
      assertLinear(what, (input) => parsedOrRefused(input), text, 20_000);
    }
  });

  it('texts of more than 4096 characters are refused', () => {
    assert.ok(parseQuantity('0'.repeat(4096)).isZero);
    const message = 'quantities must have at most 4096 characters';
    assert.throws(() => parseQuantity('0'.repeat(4097)), { message });
  });

  it('canonical text has no fraction', () => {
    fc.assert(
      fc.property(value, (quantity) => {
        assert.match(quantity.toCanonicalString(), /^-?[0-9]+([numkMGTPE]|[KMGTPE]i|e-?[0-9]+)?$/);
      }),
    );
  });

  it('the order is that of the amounts', () => {
    fc.assert(
      fc.property(value, value, (left, right) => {
        const difference = left.sub(right);
        assert.equal(left.compare(right), difference.sign);
        assert.equal(right.compare(left), difference.isZero ? 0 : -difference.sign);
      }),
    );
  });

  it('adding and subtracting undo each other', () => {
    fc.assert(
      fc.property(value, value, (left, right) => {
        assert.ok(left.add(right).sub(right).equals(left));
        assert.ok(left.add(right).equals(right.add(left)));
        assert.ok(left.sub(right).equals(left.add(right.negate())));
      }),
    );
  });

  it('rounds away from zero, by less than a step', () => {
    fc.assert(
      fc.property(value, fc.integer({ min: -9, max: 6 }), (quantity, scale) => {
        const rounded = quantity.roundUp(scale);
        const step = QuantityValue.of(1, 'DecimalSI', scale);
        const moved = quantity.sign < 0 ? quantity.sub(rounded) : rounded.sub(quantity);
        assert.ok(moved.sign >= 0);
        assert.ok(moved.compare(step) < 0);
        assert.ok(rounded.roundUp(scale).equals(rounded));
      }),
    );
  });
});
