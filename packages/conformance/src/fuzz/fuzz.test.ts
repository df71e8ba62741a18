import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { fuzzTarget, pure } from './fuzz-target.ts';
import { cpuMs, type Measure, superlinear } from './growth.ts';
import { targets } from './targets.ts';

/** The seed of every test run; `npm run fuzz` uses others. */
const SEED = 20_261_115;
const RUNS = 150;

describe('fuzzing with a fixed seed', () => {
  for (const target of targets) {
    it(`${target.name}: ${target.about}`, async () => {
      const { runs, failure } = await target.run({ seed: SEED, runs: RUNS });
      assert.ok(runs > 0);
      if (failure !== undefined) {
        const input = JSON.stringify(failure.input);
        throw new Error(`fails on ${input}`, { cause: failure.error });
      }
    });
  }
});

describe('fuzzTarget', () => {
  it('reports the smallest failing input, with its seed', async () => {
    const check = (value: number): void => assert.ok(value < 50);
    const target = fuzzTarget({ name: 'a', about: 'b', input: fc.nat(), open: pure(check) });
    const { failure } = await target.run({ seed: 1, runs: 100 });
    assert.equal(failure?.input, 50);
    assert.equal(failure?.seed, 1);
  });

  it('tries regressions first', async () => {
    const seen: number[] = [];
    const input = fc.nat({ max: 9 });
    const open = pure((value: number) => void seen.push(value));
    await fuzzTarget({ name: 'a', about: 'b', input, open, regressions: [77] }).run({
      seed: 1,
      runs: 3,
    });
    assert.equal(seen[0], 77);
    assert.equal(seen.length, 3);
  });

  it('detects prototype pollution', async () => {
    const check = (): void => {
      const { prototype } = Object;
      Reflect.defineProperty(prototype, 'polluted', { value: 1, configurable: true });
    };
    try {
      const target = fuzzTarget({ name: 'a', about: 'b', input: fc.nat(), open: pure(check) });
      const { failure } = await target.run({ seed: 1, runs: 1 });
      assert.match(String(failure?.error), /new members: polluted/);
    } finally {
      Reflect.deleteProperty(Object.prototype, 'polluted');
    }
  });
});

describe('superlinear', () => {
  const text = [{ unit: 'a' }];
  const sum = (input: string): number => {
    let found = 0;
    for (let i = 0; i < input.length; i += 1) found += input.charCodeAt(i);
    return found;
  };

  /** A processor that takes exactly as long as it should, but for a disturbance of every third text. */
  function machine(msOf: (length: number) => number): Measure {
    let count = 0;
    return (parse, input) => {
      parse(input);
      count += 1;
      return msOf(input.length) * (count % 3 === 1 ? 1.5 : 1);
    };
  }

  it('finds quadratic work', () => {
    const quadratic = machine((length) => length ** 2 / 1e7);
    assert.equal(
      superlinear(sum, text, quadratic),
      '"a"… takes 1.6 ms at 4000 and 102.4 ms at 32000 characters',
    );
  });

  it('accepts slow linear work', () => {
    assert.equal(
      superlinear(
        sum,
        text,
        machine((length) => length / 100),
      ),
      undefined,
    );
  });

  it('accepts work that is done immediately', () => {
    assert.equal(
      superlinear(
        sum,
        text,
        machine((length) => length ** 2 / 1e9),
      ),
      undefined,
    );
  });

  it('measures processor time', () => {
    const usedMs = (): number => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    };
    const busy = (): void => {
      const end = usedMs() + 20;
      while (usedMs() < end);
    };
    assert.ok(cpuMs(busy, '') >= 20);
    assert.equal(superlinear(sum, text), undefined);
  });
});
