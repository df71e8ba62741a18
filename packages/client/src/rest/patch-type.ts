import { MEDIA_TYPES } from '../codec/media-types.ts';

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

/** The content type that tells the server; nobody else has to know it. */
export function patchContentType(type: PatchType): string {
  return contentTypes[type];
}
