import { systemClock } from 'client-ts/internal';

import { removeNamespaces, removeObject } from '../http/clean-up.ts';
import { loadRecordedCommands } from '../kubectl/recorded-commands.ts';
import { KUBECTL_GROUP, replayCommands } from '../kubectl/replay-requests.ts';
import { EMBEDDED_SPEED, fastClock } from './fast-clock.ts';
import type { Recording } from './format.ts';
import { protobufDecoder } from './protobuf.ts';
import { type Outcome, replay } from './replay.ts';
import type { GroupResult } from './report.ts';
import { embeddedTarget, kubeconfigTarget, type ReplayTarget } from './targets.ts';

export interface RunOptions {
  /** The kubeconfig of a server. Default: a fresh embedded server for every group. */
  readonly kubeconfig?: string;
  /** The store of the server, for exchanges that need compaction. */
  readonly etcd?: string;
  /** Called after each group. */
  readonly onGroup?: (result: GroupResult) => void;
}

/** A replay mostly waits for watches to end, so several run concurrently. */
const GROUPS_AT_ONCE = 6;

/** Replays groups of exchanges; the results are in the order of the groups. */
export async function runRecordings(
  recordings: readonly Recording[],
  { kubeconfig, etcd, onGroup }: RunOptions = {},
): Promise<GroupResult[]> {
  // All groups share one server: they run one after the other, and each cleans up.
  const shared = kubeconfig !== undefined;
  const clock = shared ? systemClock : fastClock(EMBEDDED_SPEED);
  const results: GroupResult[] = [];
  const waiting = [...recordings.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, recording] = next;
      await using server = shared
        ? await kubeconfigTarget(kubeconfig, etcd)
        : await embeddedTarget(clock);
      const outcomes = await replay(recording, server, { clock, decode: protobufDecoder });
      if (shared) await cleanUp(server, outcomes);
      const result = { group: recording.group, outcomes };
      results[index] = result;
      onGroup?.(result);
    }
  };
  await Promise.all(Array.from({ length: shared ? 1 : GROUPS_AT_ONCE }, work));
  return results;
}

/** Replays the requests of the recorded kubectl commands against a fresh embedded server. */
export async function runCommands(recordings: readonly Recording[]): Promise<GroupResult> {
  const clock = fastClock(EMBEDDED_SPEED);
  await using target = await embeddedTarget(clock);
  const outcomes = await replayCommands(await loadRecordedCommands(), target, {
    clock,
    recordings,
  });
  return { group: KUBECTL_GROUP, outcomes };
}

/** The namespaces of the recordings. */
const TEST_NAMESPACE = /^rec-/;

/** Deletes what a group has created, so that the next one finds a clean server. */
export async function cleanUp(
  { admin }: ReplayTarget,
  outcomes: readonly Outcome[],
): Promise<void> {
  for (const { exchange, request } of outcomes.toReversed()) {
    const path = request?.path.split('?')[0] ?? '';
    const created = exchange.request.method === 'POST' && exchange.response.status === 201;
    if (!created || path.includes('/namespaces') || request?.path.includes('dryRun')) continue;
    const body = exchange.response.body as { metadata?: { name?: string } } | undefined;
    const name = body?.metadata?.name;
    if (name !== undefined) await removeObject(admin, `${path}/${name}`);
  }
  await removeNamespaces(admin, (name) => TEST_NAMESPACE.test(name));
}
