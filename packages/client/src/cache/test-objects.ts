import type { DeepReadonly, KubernetesObject } from '../meta/types.ts';

/** A small object for tests; indices and comparisons use its `labels`. */
export type TestObject = DeepReadonly<KubernetesObject>;

/** Makes a {@link TestObject}; `key` is `namespace/name` or `name`. */
export function testObject(
  key: string,
  resourceVersion?: string,
  labels: Readonly<Record<string, string>> = {},
): TestObject {
  const [first = '', second] = key.split('/');
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      ...(second === undefined ? { name: first } : { namespace: first, name: second }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      labels,
    },
  };
}
