import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { extname } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { describeReport, isClean, type SoakReport } from './report.ts';

const command = fileURLToPath(
  new URL(`../soak-command${extname(import.meta.url)}`, import.meta.url),
);

describe('npm run soak', () => {
  it('keeps informers correct through a few seconds of faults, and exits', async () => {
    // Fails if the exit code is not 0, and never returns if the process does not exit.
    const args = [command, '--rounds', '2', '--round', '2', '--seed', '5'];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    assert.match(stdout, /^Seed 5\n/);
    assert.match(stdout, /2 rounds in \d+ s with seed 5: \d+ writes seen by 8 informers/);
    assert.match(stdout, /Left open: nothing\n/);
    assert.match(stdout, /every call agree with the log/);
  });
});

describe('the report of a soak', () => {
  const memory = { heapMb: 40, rssMb: 100 };
  const clean: SoakReport = {
    seed: 1,
    rounds: [{ atMs: 1000, entries: 12, memory }],
    problems: [],
    acts: new Map([['outage', 2]]),
    subjects: [{ name: 'pods', calls: 3 }],
    leftOpen: [],
  };

  it('is clean only if something ran and no problem was found', () => {
    assert.equal(isClean(clean), true);
    assert.equal(isClean({ ...clean, rounds: [] }), false);
    assert.equal(isClean({ ...clean, problems: ['lost'] }), false);
    assert.equal(isClean({ ...clean, leftOpen: ['TCPSocketWrap'] }), false);
  });

  it('lists actions, results and problems', () => {
    const text = describeReport({ ...clean, problems: ['lost'], leftOpen: ['Timeout'] });
    assert.match(text, /1 rounds in 1 s with seed 1: 12 writes seen by 1 informers/);
    assert.match(text, /2 {2}outage/);
    assert.match(text, /pods: 3 calls/);
    assert.match(text, /Left open: Timeout\n1 problems:\n {2}lost/);
  });
});
