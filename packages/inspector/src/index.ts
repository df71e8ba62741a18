/**
 * A web page that shows what the informers, queues and controllers of a program are doing.
 *
 * @module
 */

export { type DiscoveredInspector, discover, discoveryDirectory, requestUrl } from './discovery.ts';
export {
  inspect,
  type InspectOptions,
  type InspectorPage,
  inspectSession,
  type ServeOptions,
} from './inspect.ts';
export { INSPECTOR_ERRORS, InspectorError, type InspectorErrorCode } from './inspector-error.ts';
export type { Retention } from './record-store.ts';
export { redactObject, type RedactedObject } from './redact-object.ts';
