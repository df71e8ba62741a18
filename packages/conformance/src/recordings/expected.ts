import { getKey, setKey } from 'client-ts/internal';
import { readFile, writeFile } from 'node:fs/promises';
import type { Difference } from './difference.ts';
import { type Fingerprint, fingerprint } from './fingerprint.ts';
import type { GroupResult } from './report.ts';

/**
 * The checked-in list of exchanges in which the embedded server differs from the recording. Each
 * has a cause; every change of the differences, in either direction, fails the run.
 */
export interface ExpectedDifferences {
  /** Maps the name of a cause to its explanation. */
  readonly causes: Readonly<Record<string, string>>;
  /** By group and exchange. */
  readonly exchanges: Readonly<Record<string, Readonly<Record<string, ExpectedExchange>>>>;
}

export interface ExpectedExchange {
  readonly cause: string;
  readonly differences: Fingerprint;
}

/** The cause that an update writes for new differences; the check rejects it. */
export const UNEXPLAINED = 'UNEXPLAINED';

const file = new URL('../../expected-differences.json', import.meta.url);

/** Reads the checked-in list. */
export async function loadExpected(): Promise<ExpectedDifferences> {
  return JSON.parse(await readFile(file, 'utf8')) as ExpectedDifferences;
}

/** Writes the checked-in list. */
export async function saveExpected(list: ExpectedDifferences): Promise<void> {
  await writeFile(file, `${JSON.stringify(list, undefined, 2)}\n`);
}

/** A deviation of a run from the list, or an error in the list. */
export interface Deviation {
  /** Group and exchange, or `causes`. */
  readonly at: string;
  readonly problem: string;
}

/**
 * Returns every deviation of the results from the list: new, changed and vanished differences, and
 * entries without a reason. `complete` means that the results have every group, so that unused
 * entries and causes are reported, too.
 */
export function deviations(
  results: readonly GroupResult[],
  list: ExpectedDifferences,
  complete: boolean,
): Deviation[] {
  const groups = results.map(({ group }) => group);
  return [
    ...results.flatMap((result) =>
      deviationsOfGroup(result, getKey(list.exchanges, result.group) ?? {}),
    ),
    ...entriesOf(list)
      .filter(({ group }) => complete || groups.includes(group))
      .flatMap(({ at, entry }) => withoutReason(at, entry, list.causes)),
    ...(complete ? unused(results, list) : []),
  ];
}

/**
 * Returns the list for the results. An exchange keeps its cause unless it differs at a new path;
 * groups without results are unchanged.
 */
export function updated(
  results: readonly GroupResult[],
  list: ExpectedDifferences,
  complete: boolean,
): ExpectedDifferences {
  const exchanges: Record<string, Record<string, ExpectedExchange>> = complete
    ? {}
    : { ...list.exchanges };
  for (const { group, outcomes } of results) {
    const before = getKey(list.exchanges, group) ?? {};
    const entries: Record<string, ExpectedExchange> = {};
    for (const outcome of outcomes) {
      const { id } = outcome.exchange;
      const old = getKey(before, id);
      if (outcome.result === 'skipped' && old !== undefined) setKey(entries, id, old);
      if (outcome.result !== 'failed') continue;
      const differences = fingerprint(differencesOf(outcome));
      const isNew = Object.keys(differences).some(
        (path) => getKey(old?.differences ?? {}, path) === undefined,
      );
      setKey(entries, id, {
        cause: isNew ? UNEXPLAINED : (old?.cause ?? UNEXPLAINED),
        differences,
      });
    }
    if (Object.keys(entries).length > 0) setKey(exchanges, group, sorted(entries));
    else delete exchanges[group];
  }
  const used = new Set(entriesOf({ causes: {}, exchanges }).map(({ entry }) => entry.cause));
  const causes = Object.fromEntries(Object.entries(list.causes).filter(([name]) => used.has(name)));
  return { causes: sorted(causes), exchanges: sorted(exchanges) };
}

function deviationsOfGroup(
  { group, outcomes }: GroupResult,
  entries: Readonly<Record<string, ExpectedExchange>>,
): Deviation[] {
  const found: Deviation[] = [];
  for (const outcome of outcomes) {
    if (outcome.result === 'skipped') continue;
    const { id } = outcome.exchange;
    const at = `${group}/${id}`;
    const expected = getKey(entries, id)?.differences ?? {};
    const got = outcome.result === 'failed' ? fingerprint(differencesOf(outcome)) : {};
    for (const path of new Set([...Object.keys(expected), ...Object.keys(got)])) {
      const [listed, now] = [getKey(expected, path), getKey(got, path)];
      if (listed === now) continue;
      if (listed === undefined) found.push({ at, problem: `new difference at ${path}: ${now}` });
      else if (now === undefined) found.push({ at, problem: `no difference at ${path} any more` });
      else found.push({ at, problem: `difference at ${path} is now ${now}, listed as ${listed}` });
    }
  }
  return found;
}

function withoutReason(
  at: string,
  { cause }: ExpectedExchange,
  causes: Readonly<Record<string, string>>,
): Deviation[] {
  if (cause === UNEXPLAINED) return [{ at, problem: 'listed without a cause' }];
  const reason = getKey(causes, cause)?.trim() ?? '';
  return reason === '' ? [{ at, problem: `cause "${cause}" has no reason in the list` }] : [];
}

function unused(results: readonly GroupResult[], list: ExpectedDifferences): Deviation[] {
  const known = new Set(
    results.flatMap(({ group, outcomes }) =>
      outcomes.map(({ exchange }) => `${group}/${exchange.id}`),
    ),
  );
  const entries = entriesOf(list);
  const used = new Set(entries.map(({ entry }) => entry.cause));
  return [
    ...entries
      .filter(({ at }) => !known.has(at))
      .map(({ at }) => ({ at, problem: 'listed, but there is no such exchange' })),
    ...Object.keys(list.causes)
      .filter((name) => !used.has(name))
      .map((name) => ({ at: 'causes', problem: `cause "${name}" is not used` })),
  ];
}

function entriesOf({
  exchanges,
}: ExpectedDifferences): { group: string; at: string; entry: ExpectedExchange }[] {
  return Object.entries(exchanges).flatMap(([group, entries]) =>
    Object.entries(entries).map(([id, entry]) => ({ group, at: `${group}/${id}`, entry })),
  );
}

/** Returns the differences of a failed exchange; a missing response is one, too. */
function differencesOf({
  differences,
  reason,
}: GroupResult['outcomes'][number]): readonly Difference[] {
  return reason === undefined
    ? differences
    : [{ path: '/response', expected: 'an answer', got: reason }, ...differences];
}

function sorted<T>(entries: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(entries).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
  );
}
