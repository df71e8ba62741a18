import type * as core from 'client-ts/api/core/v1';
import { jsonEqual } from 'client-ts/internal';
import type { Loose } from '../../../../validation/loose.ts';

/** The generation of a pod grows whichever endpoint changes its spec. */
export function movePodGeneration(pod: Loose<core.Pod>, old: Loose<core.Pod>): void {
  if (jsonEqual(pod.spec, old.spec)) return;
  (pod.metadata ??= {}).generation = (old.metadata?.generation ?? 0) + 1;
}
