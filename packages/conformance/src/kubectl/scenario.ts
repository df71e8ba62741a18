import { crdSteps } from './steps/custom-resources.ts';
import { cacheSteps } from './steps/discovery-cache.ts';
import { deletionSteps } from './steps/deletion.ts';
import { discoverySteps } from './steps/discovery.ts';
import { readingSteps } from './steps/reading.ts';
import type { Step } from './kubectl.ts';
import { streamSteps } from './steps/streams.ts';
import { waitingSteps } from './steps/waiting.ts';
import { writingSteps } from './steps/writing.ts';

/** Everyday kubectl commands; later steps use what earlier ones have created. */
export const scenario: readonly Step[] = [
  ...discoverySteps,
  ...cacheSteps,
  ...writingSteps,
  ...readingSteps,
  ...waitingSteps,
  ...crdSteps,
  ...streamSteps,
  ...deletionSteps,
];
