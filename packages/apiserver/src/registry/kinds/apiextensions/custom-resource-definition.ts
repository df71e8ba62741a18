// Upstream: staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/defaults.go
// Upstream: staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go
// Upstream: staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition/strategy.go
// Upstream: staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition/etcd.go
import type { CustomResourceDefinition } from 'client-ts/api/apiextensions/v1';
import { jsonEqual, quoteGo } from 'client-ts/internal';
import { formatTime } from 'client-ts/meta';

import {
  validateDefinition,
  validateDefinitionStatus,
  validateDefinitionUpdate,
} from '../../../crd/definition-rules.ts';
import { CLEANUP_FINALIZER, terminating, withCondition } from '../../../crd/definition-status.ts';
import { partsOf } from '../../../crd/schema-walk.ts';
import { supportedFormat } from '../../../validation/string-formats.ts';
import { structuralSchema } from '../../../crd/structural.ts';
import type { Strategy, StrategyContext } from '../../strategy.ts';
import { keepSpec } from '../support.ts';

const DEFAULT_WEBHOOK_PORT = 443;

/** Rules of CustomResourceDefinitions. */
export const definitionStrategy: Strategy<CustomResourceDefinition> = {
  setDefaults: ({ spec }) => {
    const { names } = spec;
    if ((names.singular ?? '') === '' && names.kind !== '') {
      names.singular = names.kind.toLowerCase();
    }
    if ((names.listKind ?? '') === '' && names.kind !== '') names.listKind = `${names.kind}List`;
    spec.conversion ??= { strategy: 'None' };
    const service = spec.conversion.webhook?.clientConfig?.service;
    if (service !== undefined) service.port ??= DEFAULT_WEBHOOK_PORT;
  },
  prepareForCreate: (crd) => {
    crd.status = emptyStatus();
    recordStorageVersion(crd);
  },
  prepareForUpdate: (crd) => recordStorageVersion(crd),
  validate: (crd) => validateDefinition(crd),
  validateUpdate: (crd, old) => validateDefinitionUpdate(crd, old),
  prepareForStatusUpdate: keepSpec,
  validateStatusUpdate: (crd, old) => validateDefinitionStatus(crd, old),
  warnings: (crd, old) => {
    const known = new Set(old === undefined ? [] : unrecognizedFormats(old));
    return unrecognizedFormats(crd)
      .filter((format) => !known.has(format))
      .map((format) => `unrecognized format ${quoteGo(format)}`);
  },
  generation: 'spec',
  unconditionalUpdate: false,
  emptyFirst,
};

/** Adds the finalizer that keeps a definition until its custom resources are deleted. */
function emptyFirst(
  crd: CustomResourceDefinition,
  _options: unknown,
  { clock }: StrategyContext,
): 'go' | 'mark' {
  const metadata = (crd.metadata ??= {});
  if (metadata.deletionTimestamp !== undefined) return 'go';
  const now = formatTime(clock.now());
  const { finalizers = [] } = metadata;
  metadata.deletionTimestamp = now;
  if (!finalizers.includes(CLEANUP_FINALIZER)) {
    metadata.finalizers = [...finalizers, CLEANUP_FINALIZER];
  }
  const status = (crd.status ??= emptyStatus());
  status.conditions = withCondition(status.conditions ?? [], terminating.pending, now);
  return 'mark';
}

function emptyStatus(): NonNullable<CustomResourceDefinition['status']> {
  return { acceptedNames: { plural: '', kind: '' } };
}

/**
 * Adds the storage version to `status.storedVersions`, which lists every version that objects may
 * be stored in.
 */
function recordStorageVersion(crd: CustomResourceDefinition): void {
  const storage = (crd.spec.versions ?? []).find((version) => version.storage)?.name;
  crd.status ??= emptyStatus();
  const stored = crd.status.storedVersions ?? [];
  if (storage !== undefined && !stored.includes(storage)) {
    crd.status.storedVersions = [...stored, storage];
  }
}

function unrecognizedFormats({ spec }: CustomResourceDefinition): string[] {
  const schemas = (spec.versions ?? []).flatMap(({ schema }) => schema?.openAPIV3Schema ?? []);
  // A schema that several versions share is checked once.
  const distinct = schemas.filter(
    (schema, index) => schemas.findIndex((other) => jsonEqual(other, schema)) === index,
  );
  const formats: string[] = [];
  const pending = distinct.toReversed();
  for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
    const { format = '' } = schema;
    if (format !== '' && supportedFormat(structuralSchema(schema)) === undefined) {
      formats.push(format);
    }
    pending.push(...partsOf(schema).map((part) => part.schema));
  }
  return formats;
}
