import type { CollectedEvent } from './collected-event.ts';
import type { Gap } from './event-sink.ts';

/** Which events. All of what is given must hold. */
export interface EventQuery {
  /** Last seen at or after; milliseconds since the epoch. */
  readonly sinceMs?: number | undefined;
  /** Last seen before. */
  readonly untilMs?: number | undefined;
  /** `Warning`, `Normal`; letters' case does not matter. */
  readonly type?: string | undefined;
  readonly reason?: string | undefined;
  readonly namespace?: string | undefined;
  /** `pod/web-0`, `deploy/web` or only a name. */
  readonly object?: string | undefined;
  /** Text in the message, the reason or the object's name; letters' case does not matter. */
  readonly grep?: string | undefined;
  /** The newest so many. Default: all. */
  readonly limit?: number | undefined;
}

/** What came out: events by the time that they were last seen, the newest last. */
export interface QueryResult {
  readonly events: readonly CollectedEvent[];
  /** Times in which events may be missing, of the time that was asked for. */
  readonly gaps: readonly Gap[];
}

/** A kind and a name, as `--object` names them. */
export interface ObjectFilter {
  /** In lower case, in the singular; undefined for any. */
  readonly kind: string | undefined;
  readonly name: string;
}

const shortNames: ReadonlyMap<string, string> = new Map([
  ['cj', 'cronjob'],
  ['cm', 'configmap'],
  ['deploy', 'deployment'],
  ['ds', 'daemonset'],
  ['ep', 'endpoints'],
  ['hpa', 'horizontalpodautoscaler'],
  ['ing', 'ingress'],
  ['no', 'node'],
  ['ns', 'namespace'],
  ['pdb', 'poddisruptionbudget'],
  ['po', 'pod'],
  ['pv', 'persistentvolume'],
  ['pvc', 'persistentvolumeclaim'],
  ['rs', 'replicaset'],
  ['sa', 'serviceaccount'],
  ['sts', 'statefulset'],
  ['svc', 'service'],
]);

/**
 * Reads `KIND/NAME` or `NAME`. The kind may be plural, short as kubectl's, or with its group; it is not
 * looked up anywhere, because the events may be all that is left of the cluster.
 */
export function parseObject(text: string): ObjectFilter {
  const slash = text.indexOf('/');
  if (slash === -1) return { kind: undefined, name: text };
  const word = text.slice(0, slash).toLowerCase().replace(/\..*$/, '');
  return { kind: shortNames.get(word) ?? singular(word), name: text.slice(slash + 1) };
}

function singular(word: string): string {
  if (word === 'endpoints') return word;
  if (/(?:ss|ch|x)es$/.test(word)) return word.slice(0, -2);
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}
