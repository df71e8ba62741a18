import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import { crash } from './crash.ts';
import { Ledger } from './ledger.ts';
import { type CrashReport, describeReport, isClean } from './report.ts';
import type { CrashStore } from './server-process.ts';

const A = { uid: 'u', revision: 5, text: 'a' };
const B = { uid: 'u', revision: 6, text: 'b' };

function ledgerWith(...steps: readonly ((ledger: Ledger) => void)[]): Ledger {
  const ledger = new Ledger();
  for (const step of steps) step(ledger);
  return ledger;
}

const created = (ledger: Ledger): void => {
  ledger.begin('k', A.text);
  ledger.acknowledge('k', A);
};
const updating = (ledger: Ledger): void => ledger.begin('k', B.text);
const deleting = (ledger: Ledger): void => ledger.begin('k', undefined);

describe('the ledger of a crash run', () => {
  it('accepts what was acknowledged, and either outcome of an unanswered write', () => {
    for (const [steps, found, kept] of [
      [[created], A, 0],
      [[created, updating], A, 0],
      [[created, updating], B, 1],
      [[created, deleting], A, 0],
      [[created, deleting], undefined, 1],
      [[updating], undefined, 0],
    ] as const) {
      const ledger = ledgerWith(...steps);
      ledger.audit(new Map(found && [['k', found]]), 7);
      assert.deepEqual(ledger.faults, []);
      assert.equal(ledger.unknownKept, kept);
    }
  });

  it('reports lost, invented and undone writes, and revisions that go back or are used twice', () => {
    const lost = ledgerWith(created);
    lost.audit(new Map(), 5);
    assert.match(lost.faults[0] ?? '', /k is absent; acknowledged was "a" at 5/);
    const invented = new Ledger();
    invented.audit(new Map([['k', A]]), 5);
    assert.match(invented.faults[0] ?? '', /k was never written/);
    const undone = ledgerWith(created, updating, (ledger) => ledger.observe('k', 6, 'b'));
    undone.audit(new Map([['k', A]]), 6);
    assert.match(undone.faults[0] ?? '', /k was seen at 6 as b, and is "a" at 5/);
    const vanished = ledgerWith(updating, (ledger) => ledger.observe('k', 6, 'b'));
    vanished.audit(new Map(), 6);
    assert.match(vanished.faults[0] ?? '', /k was seen at 6 as b, and is absent/);
    const back = ledgerWith(created);
    back.audit(new Map([['k', A]]), 4);
    assert.match(back.faults[0] ?? '', /the server is at 4; it has shown 5/);
    const twice = ledgerWith(created, (ledger) => ledger.observe('k', 5, 'other'));
    assert.match(twice.faults[0] ?? '', /revision 5 is k other, and was k a/);
  });
});

async function run(t: TestContext, kills: number, store: CrashStore): Promise<CrashReport> {
  const directory = mkdtempSync(join(tmpdir(), 'client-ts-crash-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return await crash({ directory, kills, seed: 7, store, say: () => undefined });
}

describe('a server that is killed during writes', () => {
  it('loses no acknowledged write, invents none, and undoes nothing that was seen', async (t) => {
    const report = await run(t, 4, 'sqlite');
    assert.ok(isClean(report), describeReport(report));
    assert.ok(report.acknowledged > 0 && report.resumedWatches > 0, describeReport(report));
  });

  it('does so with a store that is injected', async (t) => {
    const report = await run(t, 2, 'file');
    assert.ok(isClean(report), describeReport(report));
  });

  it('is caught if it acknowledges writes before they are kept', async (t) => {
    const report = await run(t, 2, 'early');
    assert.match(report.faults.join('\n'), /acknowledged was/);
  });
});
