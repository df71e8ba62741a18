/** Runs the example operator and the planted bugs on fixed seeds. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { explore, SimulationFailure } from 'client-ts/testing';

import { operatorSimulation } from '../operator/simulation.ts';
import { doubleCreate, missedDelete, statusFight } from './planted-bugs.ts';

const run = promisify(execFile);

/** The Node that npm was started on, which may be an older one. */
const startedOn = process.env['CLIENT_TS_STARTED_ON'] ?? process.execPath;

describe('the simulated operator', () => {
  for (const firstSeed of [1, 51, 101, 151]) {
    it(`keeps all invariants on 50 seeds from ${firstSeed}`, async () => {
      const { seeds, failures } = await explore({ ...operatorSimulation, firstSeed, seeds: 50 });
      assert.equal(seeds, 50);
      assert.deepEqual(failures, []);
    });
  }
});

describe('planted bugs', () => {
  const bugs = /** @type {const} */ ([
    ['a double create from a stale cache', doubleCreate, 'a site has one secret'],
    ['a missed delete', missedDelete, 'no orphan'],
    ['a fight for a status', statusFight, 'no hot loop'],
  ]);
  for (const [title, { broken, mended }, invariant] of bugs) {
    it(`are found: ${title}`, async () => {
      const failure = await explore({ ...broken, seeds: 100 }).then(
        () => assert.fail('all invariants held'),
        (/** @type {unknown} */ error) => error,
      );
      assert.ok(failure instanceof SimulationFailure, String(failure));
      assert.equal(failure.invariant, invariant);
      // The smallest history fails in the same way, and the mended version holds on all seeds before.
      await assert.rejects(
        explore({ ...broken, seeds: [failure.smallestSeed], shrinkRuns: 0 }),
        ({ problem }) => problem === failure.problem,
      );
      const { seeds } = await explore({ ...mended, seeds: Math.max(20, failure.seed) });
      assert.ok(seeds >= failure.seed);
    });
  }
});

describe('npm run explore', () => {
  it('says that a planted bug was not found, and fails', async () => {
    const program = fileURLToPath(new URL('explore.ts', import.meta.url));
    const flags = ['--world', 'double-create', '--seeds', '1'];
    await assert.rejects(run(process.execPath, [program, ...flags]), ({ code, stdout, stderr }) => {
      assert.equal(code, 1);
      assert.match(stdout, /^double-create: 1 seed in .*, all held/);
      assert.match(stderr, /the planted bug was not found/);
      return true;
    });
  });
});

describe('a seed', () => {
  it('runs byte for byte the same on both releases of Node', async () => {
    const program = fileURLToPath(new URL('digests.mjs', import.meta.url));
    const digestsOn = async (/** @type {string} */ node) => (await run(node, [program])).stdout;
    const [newer, older] = [await digestsOn(process.execPath), await digestsOn(startedOn)];
    assert.match(newer, /^1 [\da-f]{64} \d+$/m);
    assert.equal(older, newer);
  });
});
