/**
 * kubectl's JSONPath.
 *
 * @module
 */

export { JSONPath, type JSONPathOptions, relaxedJSONPath } from './jsonpath.ts';
export { JSONPATH_ERRORS, JSONPathError } from './parse.ts';
