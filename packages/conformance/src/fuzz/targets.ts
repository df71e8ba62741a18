import { clientTargets } from './client-targets.ts';
import { codecTargets } from './codec-targets.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import { serverTargets } from './server-targets.ts';
import { streamTargets } from './stream-targets.ts';
import { textTargets } from './text-targets.ts';

/** All targets of `npm run fuzz`. */
export const targets: readonly FuzzTarget[] = [
  ...textTargets,
  ...codecTargets,
  ...serverTargets,
  ...clientTargets,
  ...streamTargets,
];
