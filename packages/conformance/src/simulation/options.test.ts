import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { explore, simulate } from 'client-ts/testing';

const controllers = (): never => assert.fail('nothing is started');
const check = (): undefined => undefined;

/** What plain JavaScript may pass, and the option that the error names. */
const wrong: readonly (readonly [options: unknown, option: string])[] = [
  [undefined, 'options'],
  [null, 'options'],
  [{}, 'controllers'],
  [{ controllers: 'x' }, 'controllers'],
  [{ controllers, world: 5 }, 'world'],
  [{ controllers, faults: 'x' }, 'faults'],
  [{ controllers, faults: ['nope'] }, 'faults[0]'],
  [{ controllers, faults: ['crash', 5] }, 'faults[1]'],
  [{ controllers, faults: [{ kind: 'nope', atMs: 0 }] }, 'faults[0].kind'],
  [{ controllers, faults: [{ atMs: 0 }] }, 'faults[0].kind'],
  [{ controllers, faults: [{ kind: 'crash' }] }, 'faults[0].atMs'],
  [{ controllers, faults: [{ kind: 'crash', atMs: Infinity }] }, 'faults[0].atMs'],
  [{ controllers, faults: [{ kind: 'crash', atMs: 0, replica: -1 }] }, 'faults[0].replica'],
  [{ controllers, faults: [{ kind: 'crash', atMs: 0, forMs: -1 }] }, 'faults[0].forMs'],
  [{ controllers, invariants: 5 }, 'invariants'],
  [{ controllers, invariants: [5] }, 'invariants[0]'],
  [{ controllers, invariants: [{ name: 'a', at: 'write' }] }, 'invariants[0].check'],
  [{ controllers, invariants: [{ name: 'a', check }] }, 'invariants[0].at'],
  [{ controllers, invariants: [{ name: 'a', at: 'end', check }] }, 'invariants[0].at'],
  [{ controllers, invariants: [{ name: 'a', at: ['write', 'end'], check }] }, 'invariants[0].at'],
  [{ controllers, replicas: 0 }, 'replicas'],
  [{ controllers, replicas: 1.5 }, 'replicas'],
  [{ controllers, replicas: Infinity }, 'replicas'],
  [{ controllers, durationMs: -1 }, 'durationMs'],
  [{ controllers, settleMs: Number.NaN }, 'settleMs'],
  [{ controllers, quietMs: '1' }, 'quietMs'],
];

describe('the options of a simulation', () => {
  for (const [options, option] of wrong) {
    it(`are refused: ${inspect(options, { breakLength: Infinity })}`, async () => {
      const refused = { name: 'OptionError', code: 'OPTION_INVALID', option };
      await assert.rejects(simulate(options as never), refused);
      await assert.rejects(explore(options as never), refused);
    });
  }
});
