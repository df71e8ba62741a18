/**
 * Returns the shard of a key, such as `namespace/name`: a number from 0 to `shards - 1`, the same on
 * every machine and in every version.
 *
 * It is rendezvous hashing: of all shards, the one with the highest {@link rendezvousWeight} for the
 * key. With one shard more, about one in `shards + 1` keys moves, all of them to the new shard.
 */
export function shardOfKey(key: string, shards: number): number {
  const hash = hashOfText(key);
  let best = 0;
  let highest = -1;
  for (let shard = 0; shard < shards; shard += 1) {
    const weight = rendezvousWeight(hash, shard);
    if (weight > highest) {
      best = shard;
      highest = weight;
    }
  }
  return best;
}

/** Returns 32-bit FNV-1a of the UTF-8 bytes, through the finalizer of MurmurHash3. */
export function hashOfText(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of utf8.encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return mixed(hash);
}

/** Returns the weight of a node for a hash, in [0, 2³²). Equal weights go to the lower node. */
export function rendezvousWeight(hash: number, node: number): number {
  return mixed(hash ^ mixed(Math.imul(node + 1, 0x9e3779b1)));
}

const utf8 = new TextEncoder();

/** Makes every bit depend on every other: names that differ in the last letter must not be neighbours. */
function mixed(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
