export { type ClusterOptions, generateFromCluster } from './cluster/generate-cluster.ts';
export type { CrdSource } from './crd/documents.ts';
export { CrdError, type CrdFault } from './crd/fault.ts';
export { generateFromCrds } from './crd/generate-crds.ts';
export type { ReadCrdsOptions } from './crd/read-crds.ts';
export { readApiModel } from './extract/api-model.ts';
export type { ApiModel } from './model.ts';
