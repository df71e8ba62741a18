import type { Pod } from 'client-ts/api/core/v1';
import type { DeepReadonly } from 'client-ts/meta';

/** The whole of both types is compared: the dearest thing one line can ask for. */
export function cached(pod: Pod): DeepReadonly<Pod> {
  return pod;
}
