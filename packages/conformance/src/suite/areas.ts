import { admission } from './areas/admission.ts';
import { apply } from './areas/apply.ts';
import { authentication } from './areas/authentication.ts';
import { builtInKinds } from './areas/built-in-kinds.ts';
import { compression } from './areas/compression.ts';
import { concurrency } from './areas/concurrency.ts';
import { crud } from './areas/crud.ts';
import { customResourceVersions } from './areas/custom-resource-versions.ts';
import { customResources } from './areas/custom-resources.ts';
import { deletion } from './areas/deletion.ts';
import { discovery } from './areas/discovery.ts';
import { dryRun } from './areas/dry-run.ts';
import { encodings } from './areas/encodings.ts';
import { fieldValidation } from './areas/field-validation.ts';
import { initialObjects } from './areas/initial-objects.ts';
import { metadata } from './areas/metadata.ts';
import { namespaces } from './areas/namespaces.ts';
import { paging } from './areas/paging.ts';
import { patches } from './areas/patches.ts';
import { policies } from './areas/policies.ts';
import { propagation } from './areas/propagation.ts';
import { quotas } from './areas/quotas.ts';
import { resourceVersions } from './areas/resource-versions.ts';
import { selectors } from './areas/selectors.ts';
import { subresources } from './areas/subresources.ts';
import { watchBookmarks } from './areas/watch-bookmarks.ts';
import { watching } from './areas/watching.ts';
import { webhooks } from './areas/webhooks.ts';
import type { Area } from './check.ts';

/** All areas of the suite, in the order of the report. */
export const areas: readonly Area[] = [
  discovery,
  authentication,
  initialObjects,
  crud,
  metadata,
  concurrency,
  subresources,
  deletion,
  propagation,
  namespaces,
  builtInKinds,
  admission,
  quotas,
  dryRun,
  fieldValidation,
  selectors,
  paging,
  resourceVersions,
  watching,
  watchBookmarks,
  patches,
  apply,
  customResources,
  customResourceVersions,
  webhooks,
  policies,
  encodings,
  compression,
];
