/**
 * kubectl's JSONPath.
 *
 * @module
 */

export { JSONPath, type JSONPathOptions } from './jsonpath.ts';
export { JSONPATH_ERRORS, JSONPathError } from './parse.ts';
