import { MEDIA_TYPES } from '../codec/media-types.ts';
import { getKey } from '../lib/json.ts';
import { invalidRequest } from './rest-error.ts';

/**
 * How a patch is meant: `json` a list of operations, `merge` a document whose lists replace lists,
 * `strategic` the same with lists merged by key (built-in kinds only), `apply` the fields that one
 * manager wants to have.
 */
export type PatchType = 'apply' | 'json' | 'merge' | 'strategic';

const contentTypes: Readonly<Record<PatchType, string>> = {
  apply: MEDIA_TYPES.applyPatch,
  json: MEDIA_TYPES.jsonPatch,
  merge: MEDIA_TYPES.mergePatch,
  strategic: MEDIA_TYPES.strategicMergePatch,
};

/** Returns the content type by which a server knows the type of a patch. */
export function patchContentType(type: PatchType): string {
  const contentType = getKey(contentTypes, type);
  if (contentType !== undefined) return contentType;
  const known = Object.keys(contentTypes).join(', ');
  throw invalidRequest(`the type of a patch must be one of ${known}, not ${JSON.stringify(type)}`);
}
