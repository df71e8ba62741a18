import {
  type CachedObject,
  type Indexer,
  type Indexers,
  type IndexValue,
  metaNamespaceKeyFunc,
} from 'client-ts/cache';

import type { CallRecorder } from './call-recorder.ts';
import { type LogEntry, type ObjectState, stateOf } from './history.ts';
import { historyProblems } from './valid-history.ts';
import { compareWithLog, needlessRelists, type WireHistory } from './wire-history.ts';

/** Everything about one informer that has settled. */
export interface InformerEvidence<T extends CachedObject> {
  readonly indexer: Indexer<T, Indexers<T>>;
  readonly queue: 'delta' | 'in-order';
  readonly handlers: readonly CallRecorder<T>[];
  readonly wire: WireHistory;
  readonly log: readonly LogEntry[];
  /** The objects as read from the server. */
  readonly objects: readonly T[];
  /** Whether faults dropped watch events. */
  readonly mayMiss: boolean;
}

/** Returns all problems as text. */
export function informerProblems<T extends CachedObject>(evidence: InformerEvidence<T>): string[] {
  const { indexer, queue, handlers, wire, log, objects, mayMiss } = evidence;
  const { missed, problems } = compareWithLog(log, wire.runs);
  const order = queue === 'delta' ? 'object' : 'server';
  return [
    ...cacheProblems(indexer, objects),
    ...indexProblems(indexer),
    ...wire.problems,
    ...needlessRelists(wire),
    ...problems,
    ...(mayMiss ? [] : Array.from(missed, (version) => `a watch left out ${version}`)),
    ...handlers.flatMap(({ registration, history }) =>
      historyProblems({ ...history, log, gaps: wire.relists, missed, order }).map(
        (problem) => `handler ${registration.name}: ${problem}`,
      ),
    ),
  ];
}

/** Returns the states of the objects in a store. */
export function statesIn<T extends CachedObject>(
  indexer: Indexer<T, Indexers<T>>,
): Map<string, ObjectState> {
  return new Map(Array.from(indexer, (object) => [metaNamespaceKeyFunc(object), stateOf(object)]));
}

function cacheProblems<T extends CachedObject>(
  indexer: Indexer<T, Indexers<T>>,
  objects: readonly T[],
): string[] {
  const cached = statesIn(indexer);
  const problems: string[] = [];
  for (const object of objects) {
    const key = metaNamespaceKeyFunc(object);
    const { version, digest } = stateOf(object);
    const state = cached.get(key);
    if (state === undefined) problems.push(`the cache lacks ${key}@${version}`);
    else if (state.version !== version || state.digest !== digest) {
      problems.push(`the cache has ${key}@${state.version}, the server ${version}`);
    }
    cached.delete(key);
  }
  for (const key of cached.keys()) problems.push(`the cache has ${key}, the server has not`);
  return problems;
}

function indexProblems<T extends CachedObject>(indexer: Indexer<T, Indexers<T>>): string[] {
  const problems: string[] = [];
  for (const [name, indexFunc] of Object.entries(indexer.getIndexers())) {
    const expected = new Map<IndexValue, string[]>();
    for (const object of indexer) {
      for (const value of new Set(indexFunc(object))) {
        expected.set(value, [...(expected.get(value) ?? []), metaNamespaceKeyFunc(object)]);
      }
    }
    const values = indexer.listIndexFuncValues(name);
    if (values.length !== expected.size) {
      problems.push(`the index ${name} has ${values.length} values instead of ${expected.size}`);
    }
    for (const [value, keys] of expected) {
      const found = indexer.indexKeys(name, value).toSorted().join(' ');
      const wanted = keys.toSorted().join(' ');
      if (found !== wanted)
        problems.push(`the index ${name} has ${found} at ${value}, not ${wanted}`);
    }
  }
  return problems;
}
