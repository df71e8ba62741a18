/**
 * Object metadata, group-version-kinds, selectors, quantities, times, API errors and patches.
 *
 * @module
 */

export {
  ClientError,
  type ClientErrorOptions,
  errorChain,
  type Retry,
  retryOf,
} from '../lib/errors.ts';
export { OptionError } from '../lib/option-error.ts';
export {
  ApiError,
  apiErrorCatalogue,
  type ApiErrorOptions,
  apiErrorOf,
  errorFromObject,
  type FailedRequest,
  failureOf,
  UnexpectedObjectError,
} from './api-error.ts';
export {
  findStatusCondition,
  isStatusConditionFalse,
  isStatusConditionPresentAndEqual,
  isStatusConditionTrue,
  type NewCondition,
  removeStatusCondition,
  setStatusCondition,
  type StatusCondition,
} from './conditions.ts';
export {
  type GenericResponse,
  newAlreadyExists,
  newApplyConflict,
  newBadRequest,
  newConflict,
  newForbidden,
  newGenerateNameConflict,
  newGenericServerResponse,
  newGone,
  newInternalError,
  newInvalid,
  newMethodNotSupported,
  newNotAcceptable,
  newNotFound,
  newRequestEntityTooLarge,
  newResourceExpired,
  newServerTimeout,
  newServiceUnavailable,
  newTimeoutError,
  newTooLargeResourceVersion,
  newTooManyRequests,
  newUnauthorized,
  newUnknownError,
  newUnsupportedMediaType,
} from './error-factories.ts';
export {
  hasStatusCause,
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isExpired,
  isForbidden,
  isGone,
  isInternalError,
  isInvalid,
  isMethodNotSupported,
  isNotAcceptable,
  isNotFound,
  isRequestEntityTooLarge,
  isServerTimeout,
  isServiceUnavailable,
  isStoreReadError,
  isTimeout,
  isTooLargeResourceVersion,
  isTooManyRequests,
  isUnauthorized,
  isUnexpectedServerError,
  isUnsupportedMediaType,
  reasonForError,
  statusCause,
  suggestsClientDelay,
} from './error-guards.ts';
export {
  escapeFieldValue,
  FieldMatcher,
  fieldMatcherFromSet,
  type FieldRequirement,
  FieldSelectorError,
  parseFieldSelector,
  type SelectableFields,
  unescapeFieldValue,
} from './fields.ts';
export { humanDuration } from './human-duration.ts';
export {
  LabelMatcher,
  labelMatcherFromSet,
  type LabelOperator,
  type LabelRequirement,
  labelRequirement,
  type Labels,
  labelSelectorAsSelector,
  LabelSelectorError,
  parseLabelSelector,
} from './labels.ts';
export {
  checkNameFormat,
  checkNameLength,
  type NameFormat,
  nameFormat,
  validateDns1035Label,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateLabelValue,
  validatePathSegmentName,
  validateQualifiedName,
} from './names.ts';
export {
  annotationsOf,
  getControllerOf,
  isBeingDeleted,
  isControlledBy,
  labelsOf,
  nameOf,
  namespaceOf,
  newControllerRef,
  ObjectKeyError,
} from './object.ts';
export {
  applyMergePatch,
  createJsonPatch,
  createMergePatch,
  type JsonPatchOperation,
} from './patch.ts';
export {
  compareResourceVersions,
  isResourceVersion,
  ResourceVersionError,
} from './resource-version.ts';
export {
  compareQuantities,
  normalizeQuantity,
  parseQuantity,
  QuantityError,
  type QuantityFormat,
  QuantityValue,
} from './quantity.ts';
export { parseRequestInfo, type RequestInfo } from './request-info.ts';
export {
  apiVersionOf,
  type GroupKind,
  groupKindName,
  type GroupResource,
  groupResourceName,
  type GroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  type ObjectOf,
  parseApiVersion,
  type ResourceDescriptor,
  type Scope,
  type SubresourceDescriptor,
  type Verb,
} from './resource.ts';
export {
  type FailureParts,
  failureStatus,
  isStatus,
  type KnownStatusReason,
  type StatusCauseType,
  type StatusReason,
} from './status.ts';
export { formatMicroTime, formatTime, parseMicroTime, parseTime, TimeError } from './time.ts';
export type * from './types.ts';
