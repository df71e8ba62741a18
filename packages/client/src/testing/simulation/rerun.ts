import { relative } from 'node:path';
import { type Environment, systemEnvironment } from '../../lib/environment.ts';

/** The environment variable by which a program runs one seed again. */
const VARIABLE = 'CLIENT_TS_SEED';

/** Returns the seed of the environment variable `CLIENT_TS_SEED`, if it is set. */
export function requestedSeed(env: Environment = systemEnvironment()): string | undefined {
  const seed = env[VARIABLE];
  return seed === '' ? undefined : seed;
}

/** Returns the command that runs this program again, with one seed. */
export function rerunCommand(seed: string): string {
  const [, file] = process.argv;
  const program = file === undefined ? '…' : relative(process.cwd(), file);
  return `${VARIABLE}=${seed} node ${program}`;
}
