export {
  DynamicClient,
  type DynamicResourceClient,
  type NamespaceableResourceClient,
} from './dynamic-client.ts';
export { DYNAMIC_ERRORS, DynamicError, type DynamicErrorCode } from './dynamic-error.ts';
export {
  type FieldPath,
  getNested,
  nestedBoolean,
  nestedList,
  nestedNumber,
  nestedObject,
  nestedString,
  nestedStringList,
  nestedStringMap,
  removeNested,
  setNested,
} from './nested.ts';
export {
  fromUnstructured,
  type Structured,
  toUnstructured,
  type Unstructured,
} from './unstructured.ts';
