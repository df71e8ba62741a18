import type { Audit } from './audit.ts';
import type { FinalState } from './final-state.ts';
import type { Reconciles } from './reconciles.ts';
import type { ProcessCounts } from './supervised.ts';
import type { UserCounts } from './users.ts';

/** The results of a run. */
export interface Outcome {
  readonly counts: ProcessCounts;
  readonly users: UserCounts;
  readonly audited: Audit;
  readonly changes: number;
  readonly final: FinalState;
  readonly settledAfterMs: number;
  readonly reconciles: Reconciles;
  /** The longest time that a lock may be without a holder. */
  readonly vacancyMs: number;
  /** Violations besides those of the audit. */
  readonly faults: readonly string[];
}

/** Formats the results, and says whether there are violations. */
export function report(outcome: Outcome): {
  readonly lines: readonly string[];
  readonly isRight: boolean;
} {
  const { counts, users, audited, changes, final, settledAfterMs, reconciles, faults } = outcome;
  const overlaps = reconciles.overlaps(audited.tenures);
  const { vacancies } = audited.tenures;
  const vacant = vacancies.filter(({ ms }) => ms > outcome.vacancyMs);
  const longest = Math.max(0, ...vacancies.map(({ ms }) => ms));
  const never = {
    'made twice': audited.duplicates,
    'never wanted': audited.unwanted,
    'without an owner': audited.orphans,
    'sent without the lease': audited.strangers,
    'tried without the lease': reconciles.strangers(audited.tenures),
    'left by their deleted owner': audited.leftBehind,
  };
  const found = Object.entries(never).flatMap(([what, pods]) =>
    pods.map((pod) => `${what}: ${pod}`),
  );
  const harmed = counts.killed + counts.terminated + counts.paused + counts.partitioned;
  const wrong = [
    ...(harmed === 0 ? ['no process was disturbed, so nothing was checked'] : []),
    ...(reconciles.count === 0 ? ['no WebSet was reconciled, so nothing was checked'] : []),
    ...found,
    ...overlaps.map((overlap) => `reconciled by two together: ${overlap}`),
    ...vacant.map(({ lock, ms }) => `${lock} had no holder for ${ms} ms`),
    ...faults,
  ];
  const lines = [
    `processes  ${counts.started} started; ${counts.killed} killed, ${counts.terminated} asked to end, ${counts.paused} paused, ${counts.partitioned} partitioned, ${counts.lost} ended because they had lost the lead`,
    `leases     ${audited.terms} terms; at most ${longest} ms without a holder after a release or an expiry`,
    `late       ${audited.late.length} pods were sent with the lease, and stored without it`,
    ...audited.late.map((pod) => `           ${pod}`),
    `reconciles ${reconciles.count}, ${overlaps.length} of them at the same time in two processes`,
    `users      ${users.created} WebSets made, ${users.deleted} deleted, ${users.scaled} scaled, ${users.changed} given another image; ${users.podsDeleted} pods deleted`,
    `pods       ${audited.podsCreated} made, ${audited.podsGone} gone, at most ${audited.mostPods} at a time; ${changes} changes in the log`,
    `pods that should not be: ${Object.entries(never)
      .map(([what, pods]) => `${pods.length} ${what}`)
      .join(', ')}`,
    `at the end ${final.webSets} WebSets with ${final.pods} pods, right after ${(settledAfterMs / 1000).toFixed(1)} s`,
    ...wrong.map((fault) => `WRONG      ${fault}`),
    wrong.length === 0 ? 'no violations' : `${wrong.length} violations`,
  ];
  return { lines, isRight: wrong.length === 0 };
}
