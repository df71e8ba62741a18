import { type Clock, systemClock } from 'client-ts/lib';
import { cleanUp } from './clean-up.ts';
import type { Recording } from './format.ts';
import { protobufDecoder } from './protobuf.ts';
import { replay } from './replay.ts';
import type { GroupResult } from './report.ts';
import type { ReplayTarget } from './target.ts';

export interface RunOptions {
  /** Gives the server for a group; it is disposed afterwards. */
  readonly target: () => Promise<ReplayTarget>;
  /** One server for all groups: they go one after the other, and each cleans up behind itself. */
  readonly shared: boolean;
  /** Called as soon as a group is done. */
  readonly onGroup?: (result: GroupResult) => void;
  readonly clock?: Clock;
}

/** Most of the time of a replay is spent waiting for watches to end, so several go at once. */
const GROUPS_AT_ONCE = 6;

/** Replays groups of exchanges; the results come in the order of the groups. */
export async function runRecordings(
  recordings: readonly Recording[],
  { target, shared, onGroup, clock = systemClock }: RunOptions,
): Promise<GroupResult[]> {
  const results: GroupResult[] = [];
  const waiting = [...recordings.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, recording] = next;
      await using server = await target();
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
