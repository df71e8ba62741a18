import { seededRandom, systemClock } from 'client-ts/internal';

import { CrashClients } from './clients.ts';
import { Ledger } from './ledger.ts';
import type { CrashReport } from './report.ts';
import { type CrashStore, ServerProcess } from './server-process.ts';

/** Options of {@link crash}. */
export interface CrashOptions {
  /** An empty directory for the state of the server. */
  readonly directory: string;
  readonly kills: number;
  readonly seed: number;
  /** Default: SQLite. */
  readonly store?: CrashStore | undefined;
  readonly say: (line: string) => void;
}

/** The server is killed after at most this many acknowledged writes. */
const MAX_WRITES = 300;
/** Half of the time it is killed up to this much later, to hit every moment of the next commit. */
const MAX_DELAY_MS = 50;

/**
 * Kills an embedded server during writes, again and again, with SIGKILL in the turn in which a
 * client reads an acknowledgement or shortly after it, and compares after each restart what the server has with what
 * its clients know.
 */
export async function crash(options: CrashOptions): Promise<CrashReport> {
  const { directory, kills, seed, store = 'sqlite', say } = options;
  const random = seededRandom(seed);
  const ledger = new Ledger();
  const clients = new CrashClients(ledger, random);
  for (let round = 0; round <= kills; round++) {
    const server = new ServerProcess(directory, store);
    try {
      await clients.connect(await server.started());
      await clients.audit();
      if (round === kills) break;
      const delayMs = random.next() < 0.5 ? 0 : random.next() * MAX_DELAY_MS;
      const kill = (): void => {
        if (delayMs === 0) server.kill();
        else systemClock.schedule(delayMs, () => server.kill());
      };
      await clients.writeUntil(1 + Math.floor(random.next() * MAX_WRITES), kill);
    } finally {
      server.kill();
      await server.exited();
      await clients.disconnect();
    }
    if (round % 10 === 9) say(`${round + 1} kills, ${ledger.acknowledged} writes acknowledged`);
  }
  const { acknowledged, unknown, unknownKept, observations, faults } = ledger;
  const { resumedWatches } = clients;
  return { seed, kills, acknowledged, unknown, unknownKept, observations, resumedWatches, faults };
}
