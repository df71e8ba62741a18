import { hashOfText, rendezvousWeight } from './shard-hash.ts';

/** What is known of the shards and of the replicas that share them. */
export interface ShardView {
  /** The replica that holds each shard; undefined if none does, or its lease has expired. */
  readonly holders: readonly (string | undefined)[];
  /** The replicas that take part, in any order. */
  readonly replicas: readonly string[];
}

/**
 * Returns the replica that should hold each shard; undefined only if there are no replicas. A pure
 * function, so that replicas with the same view agree without talking to each other.
 *
 * - Fair: the numbers of shards of two replicas differ by at most one.
 * - Sticky: a replica keeps its shards up to its share, so that as few as possible move, and none if
 *   the shares are already fair.
 */
export function assignShards({ holders, replicas }: ShardView): readonly (string | undefined)[] {
  const shares = sharesOf({ holders, replicas });
  if (shares.size === 0) return holders.map(() => undefined);
  const kept = new Map<number, string>();
  for (const [replica, share] of shares) {
    const own = shardsOf(holders, replica).sort(byWeight(replica)).slice(0, share);
    for (const shard of own) kept.set(shard, replica);
    shares.set(replica, share - own.length);
  }
  return holders.map((_, shard) => kept.get(shard) ?? takeShare(shares, shard));
}

/** What one replica has to do, according to {@link assignShards}. */
export interface ShardPlan {
  /** Shards that it should acquire: no replica holds them, or only the record says that it does. */
  readonly acquire: readonly number[];
  /** Shards that are recorded as its own, and others should have. */
  readonly release: readonly number[];
}

/** Returns what a replica has to do that holds the shards in `held`. */
export function planShards(view: ShardView, replica: string, held: ReadonlySet<number>): ShardPlan {
  const { holders } = view;
  const wanted = assignShards(view);
  const acquire: number[] = [];
  const release: number[] = [];
  for (const [shard, holder] of holders.entries()) {
    const isOwn = holder === replica;
    if (wanted[shard] !== replica) {
      if (isOwn) release.push(shard);
    } else if (!held.has(shard) && (isOwn || holder === undefined)) acquire.push(shard);
  }
  return { acquire, release };
}

/** The number of shards of each replica: those that have most now get what cannot be divided. */
function sharesOf({ holders, replicas }: ShardView): Map<string, number> {
  const counts = new Map(replicas.map((replica) => [replica, shardsOf(holders, replica).length]));
  const least = Math.floor(holders.length / counts.size);
  const more = holders.length % counts.size;
  const order = [...counts].sort(
    ([left, has], [right, hasToo]) => hasToo - has || (left < right ? -1 : 1),
  );
  return new Map(order.map(([replica], index) => [replica, index < more ? least + 1 : least]));
}

function shardsOf(holders: ShardView['holders'], replica: string): number[] {
  return holders.flatMap((holder, shard) => (holder === replica ? [shard] : []));
}

/** Assigns a shard to the replica with the highest weight of those with room. */
function takeShare(shares: Map<string, number>, shard: number): string | undefined {
  const [best] = [...shares]
    .filter(([, left]) => left > 0)
    .map(([replica]) => replica)
    .sort(byPreference(shard));
  if (best !== undefined) shares.set(best, (shares.get(best) ?? 0) - 1);
  return best;
}

function byPreference(shard: number): (left: string, right: string) => number {
  const weight = (replica: string): number => rendezvousWeight(hashOfText(replica), shard);
  return (left, right) => weight(right) - weight(left) || (left < right ? -1 : 1);
}

/** The order in which a replica keeps its shards. */
function byWeight(replica: string): (left: number, right: number) => number {
  const hash = hashOfText(replica);
  return (left, right) =>
    rendezvousWeight(hash, right) - rendezvousWeight(hash, left) || left - right;
}
