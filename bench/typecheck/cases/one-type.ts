import type { Pod } from 'client-ts/api/core/v1';

export function nameOf(pod: Pod): string | undefined {
  return pod.metadata?.name;
}
