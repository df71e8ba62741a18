/**
 * Typed modules from CustomResourceDefinitions and OpenAPI.
 *
 * @module
 */

export { type ClusterOptions, generateFromCluster } from './cluster/generate-cluster.ts';
export { generateFromCrds, type ReadCrdsOptions } from './crd/generate-crds.ts';
export type { CrdSource } from './crd/source.ts';
export { CodegenError, type CodegenErrorCode, CrdError, type CrdFault } from './errors.ts';
export { readApiModel } from './extract/api-model.ts';
export type { ApiModel } from './model.ts';
export { resourceVariable } from './names.ts';
