import type { Generator } from './generator.ts';

/** Everything that `npm run generate` writes and `npm run check` holds against the repository. */
export const generators: readonly Generator[] = [];
