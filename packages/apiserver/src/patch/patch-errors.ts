import type { JsonObject } from 'client-ts/internal';
import {
  type ApiError,
  newBadRequest,
  newGenericServerResponse,
  newUnknownError,
} from 'client-ts/meta';
import { formatGo, formatGoString, goTypeOf } from './go-format.ts';

/** The server answers mistakes in directives with 400, most others with a bare 500. */

/** 400 for `$retainKeys`, `$setElementOrder/…` or `$deleteFromPrimitiveList/…` in a wrong form. */
export function badDirective(
  of: 'primitive list' | 'retainKeys' | 'setElementOrder list',
): ApiError {
  return newBadRequest(`invalid patch format of ${of}`);
}

/** A `$patch` with a word that means nothing there. */
export function unknownPatchType(directive: unknown, patch: JsonObject): ApiError {
  const shown = formatGoString(directive);
  return newUnknownError(`unknown patch type: ${shown} in map: ${formatGo(patch)}`);
}

/** An item that cannot be told from the others. */
export function noMergeKey(item: JsonObject, mergeKey: string): ApiError {
  return newUnknownError(`map: ${formatGo(item)} does not contain declared merge key: ${mergeKey}`);
}

/** A value of another form than the place asks for. */
export function unexpectedType(expected: 'list' | 'map', value: unknown): ApiError {
  const wanted = expected === 'list' ? '[]interface {}' : 'map[string]interface {}';
  const got = value === null || value === undefined ? '%!s(<nil>)' : goTypeOf(value);
  return newUnknownError(`expected a ${wanted}, but received a ${got}`);
}

/** 422, with words that do not tell what is wrong. */
export function listOfLists(): ApiError {
  return newGenericServerResponse({ code: 422, verb: '' });
}
