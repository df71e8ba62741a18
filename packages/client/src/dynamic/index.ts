/**
 * Clients for any resource, known only at run time, and helpers for unstructured objects.
 *
 * @module
 */

export {
  DynamicClient,
  type DynamicClientOptions,
  type DynamicResourceClient,
  type NamespaceableResourceClient,
} from './dynamic-client.ts';
export { DYNAMIC_ERRORS, DynamicError, type DynamicErrorCode } from './dynamic-error.ts';
export {
  type FieldPath,
  nestedBoolean,
  nestedField,
  nestedList,
  nestedNumber,
  nestedObject,
  nestedString,
  nestedStringList,
  nestedStringMap,
  removeNestedField,
  setNestedField,
} from './nested.ts';
export {
  fromUnstructured,
  type Structured,
  toUnstructured,
  type Unstructured,
} from './unstructured.ts';
