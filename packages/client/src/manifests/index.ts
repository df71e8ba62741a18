/**
 * Objects in YAML and JSON files: reading, applying, comparing and deleting them.
 *
 * @module
 */

export {
  applyFile,
  type ApplyFileOptions,
  applyObjects,
  type ApplyObjectsOptions,
} from './apply.ts';
export {
  deleteFile,
  type DeleteFileOptions,
  deleteObjects,
  type DeleteObjectsOptions,
} from './delete.ts';
export { diffOf } from './diff.ts';
export {
  MANIFESTS_ERRORS,
  ManifestError,
  type ManifestErrorCode,
  type ManifestErrorOptions,
} from './manifest-error.ts';
export {
  parseManifests,
  type ParseManifestsOptions,
  readManifest,
  writeManifests,
} from './manifest.ts';
export type { PruneOptions } from './prune.ts';
export { readManifestFiles, type ReadManifestsOptions } from './read-manifests.ts';
export type {
  AppliedResult,
  ApplyResult,
  DeletedResult,
  DeleteResult,
  FailedResult,
  Manifest,
  ManifestResult,
} from './types.ts';
export type { ManifestClient, SendManifestsOptions } from './target.ts';
