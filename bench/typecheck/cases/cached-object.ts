import type { Pod } from 'client-ts/api/core/v1';
import type { DeepReadonly } from 'client-ts/meta';

export function imagesOf(pod: DeepReadonly<Pod>): string[] {
  return (pod.spec?.containers ?? []).map(({ image }) => image ?? '');
}
