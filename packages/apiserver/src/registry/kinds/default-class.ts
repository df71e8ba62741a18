import { getKey } from 'client-ts/internal';
import type { KubernetesObject } from 'client-ts/meta';

/**
 * Of the classes that an annotation makes a default, the newest; of those that are equally old, the
 * first by name.
 */
export function newestDefault<T extends KubernetesObject>(
  classes: Iterable<KubernetesObject>,
  annotations: readonly string[],
): T | undefined {
  const defaults = [...classes].filter(({ metadata }) =>
    annotations.some((annotation) => getKey(metadata?.annotations ?? {}, annotation) === 'true'),
  );
  const age = ({ metadata }: KubernetesObject): string => metadata?.creationTimestamp ?? '';
  const name = ({ metadata }: KubernetesObject): string => metadata?.name ?? '';
  const [newest] = defaults.toSorted((a, b) =>
    age(a) === age(b) ? (name(a) < name(b) ? -1 : 1) : age(a) > age(b) ? -1 : 1,
  );
  return newest as T | undefined;
}
