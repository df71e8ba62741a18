import { apiVersionOf, type GroupVersionKind, type ResourceDescriptor } from '../meta/resource.ts';
import type { DeepReadonly, KubernetesObject } from '../meta/types.ts';
import type { Stored } from '../rest/object-types.ts';
import { DynamicError } from './dynamic-error.ts';

/**
 * An object of any kind as plain JSON, unknown fields included. Read its fields with `nestedField`,
 * `nestedString` and so on, and change them with `setNestedField`.
 */
export interface Unstructured extends KubernetesObject {
  [field: string]: unknown;
}

/** The typed form of an unstructured object: stored stays stored, read-only stays read-only. */
export type Structured<T extends KubernetesObject, O> =
  O extends Stored<Unstructured> ? Stored<T> : O extends Unstructured ? T : DeepReadonly<T>;

/**
 * Returns the object under the type of the descriptor, not copied. Throws `DYNAMIC_KIND_MISMATCH` for
 * an object of another kind or version, or without one. Its fields are not checked: the server has
 * validated them.
 *
 * ```ts
 * const pod = fromUnstructured(pods, await dynamic.resource(pods).namespace('default').get('web'));
 * pod.spec?.nodeName;
 * ```
 */
export function fromUnstructured<
  T extends KubernetesObject,
  const O extends DeepReadonly<Unstructured>,
>(descriptor: ResourceDescriptor<T>, object: O): Structured<T, O> {
  const { apiVersion = 'no apiVersion', kind = 'no kind' } = object;
  checkKind(descriptor, { apiVersion, kind });
  return object as unknown as Structured<T, O>;
}

/**
 * Returns a typed object as an unstructured one, with the `apiVersion` and `kind` of its descriptor,
 * which typed objects may leave out. Only the top level is copied. Throws `DYNAMIC_KIND_MISMATCH` if
 * the object has another kind.
 */
export function toUnstructured<T extends KubernetesObject>(
  descriptor: ResourceDescriptor<T>,
  object: NoInfer<T>,
): Unstructured {
  const own = { apiVersion: apiVersionOf(descriptor), kind: descriptor.kind };
  const { apiVersion = own.apiVersion, kind = own.kind } = object;
  checkKind(descriptor, { apiVersion, kind });
  return { ...own, ...(object as KubernetesObject) };
}

function checkKind(
  wanted: GroupVersionKind,
  found: { readonly apiVersion: string; readonly kind: string },
): void {
  const apiVersion = apiVersionOf(wanted);
  if (found.apiVersion === apiVersion && found.kind === wanted.kind) return;
  throw new DynamicError(
    'DYNAMIC_KIND_MISMATCH',
    `expected ${apiVersion} ${wanted.kind} but got ${found.apiVersion} ${found.kind}`,
  );
}
