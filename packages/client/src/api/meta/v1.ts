// Kubernetes 1.36.4, meta/v1. Written by `npm run generate`; do not edit.

export type * from '../../meta/types.ts';
