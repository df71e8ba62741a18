import type * as core from 'client-ts/api/core/v1';
import type { Loose } from '../../../validation/loose.ts';
import { roundResources } from '../round-resources.ts';

/** What the spec of a claim gets, in a claim and in a template for claims. */
export function setClaimSpecDefaults(spec: Loose<core.PersistentVolumeClaimSpec>): void {
  spec.volumeMode ??= 'Filesystem';
  roundResources(spec.resources?.limits);
  roundResources(spec.resources?.requests);
}
