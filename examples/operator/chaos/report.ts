import type { Audit } from './audit.ts';
import type { FinalState } from './final-state.ts';
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
  /** Violations besides those of the audit. */
  readonly faults: readonly string[];
}

/** Formats the results, and tells whether there are violations. */
export function report(outcome: Outcome): {
  readonly lines: readonly string[];
  readonly isRight: boolean;
} {
  const { counts, users, audited, changes, final, settledAfterMs, faults } = outcome;
  const never = {
    'made twice': audited.duplicates,
    'never wanted': audited.unwanted,
    'without an owner': audited.orphans,
    'by a process that had lost the lease': audited.strangers,
    'left by their deleted owner': audited.leftBehind,
  };
  const found = Object.entries(never).flatMap(([what, pods]) =>
    pods.map((pod) => `${what}: ${pod}`),
  );
  const wrong = [...found, ...faults];
  const lines = [
    `processes  ${counts.started} started; ${counts.killed} killed, ${counts.terminated} asked to end, ${counts.paused} paused, ${counts.lost} ended because they had lost the lead`,
    `lead       ${audited.terms} terms; ${audited.late} pods were on their way from a process that was paused when it changed`,
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
