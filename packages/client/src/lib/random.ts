/** The source of randomness: jitter, generated names and uids. */
export interface Random {
  /** Returns a number in [0, 1). */
  next(): number;
  /** Returns a version 4 UUID. */
  uuid(): string;
}

/** The system's randomness. */
export const systemRandom: Random = {
  next: () => Math.random(),
  // Loaded by the first call: the module takes 5 ms, and most programs need no uuid.
  uuid: () => process.getBuiltinModule('node:crypto').randomUUID(),
};

/**
 * Returns a repeatable source: the same seed yields the same numbers and uuids on every machine.
 * Not for secrets. The generator is mulberry32.
 */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const hexDigit = (): number => Math.floor(next() * 16);
  const uuid = (): string =>
    'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (mark) =>
      (mark === 'x' ? hexDigit() : (hexDigit() & 0x3) | 0x8).toString(16),
    );
  return { next, uuid };
}
