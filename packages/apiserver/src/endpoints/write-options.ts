import {
  type FieldError,
  forbidden,
  invalidObject,
  notSupported,
  required,
} from '../validation/field-error.ts';
import { validateFieldManager } from '../validation/object-meta.ts';
import { isTrue } from './query.ts';

export type FieldValidation = 'Ignore' | 'Strict' | 'Warn';

/** The query of a create, update or patch. */
export interface WriteOptions {
  readonly dryRun: boolean;
  /** Empty if not given; then the manager is derived from the user agent. */
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  /** Only for apply. */
  readonly force: boolean | undefined;
}

type OptionsKind = 'CreateOptions' | 'PatchOptions' | 'UpdateOptions';

/** Parses the options of a write; throws a 422. */
export function parseWriteOptions(
  kind: OptionsKind,
  query: URLSearchParams,
  { isApply = false }: { isApply?: boolean } = {},
): WriteOptions {
  const dryRun = query.getAll('dryRun');
  const fieldManager = query.get('fieldManager') ?? '';
  const fieldValidation = query.get('fieldValidation') ?? '';
  const force = query.has('force') ? isTrue(query.get('force')) : undefined;
  const findings: FieldError[] = [];
  if (kind === 'PatchOptions') {
    if (isApply && fieldManager === '') {
      findings.push(required('fieldManager', 'is required for apply patch'));
    }
    if (!isApply && force !== undefined) {
      findings.push(forbidden('force', 'may not be specified for non-apply patch'));
    }
  }
  findings.push(...validateFieldManager(fieldManager, 'fieldManager'), ...checkDryRun(dryRun));
  if (!['', 'Ignore', 'Strict', 'Warn'].includes(fieldValidation)) {
    findings.push(
      notSupported('fieldValidation', fieldValidation, ['', 'Ignore', 'Strict', 'Warn']),
    );
  }
  refuseOptions(kind, findings);
  return {
    dryRun: dryRun.length > 0,
    fieldManager,
    fieldValidation: fieldValidation === '' ? 'Warn' : (fieldValidation as FieldValidation),
    force,
  };
}

/** Returns what is wrong with the values of `dryRun`. */
export function checkDryRun(values: readonly string[]): FieldError[] {
  return values.every((value) => value === 'All') ? [] : [notSupported('dryRun', values, ['All'])];
}

/** Throws a 422 if there are errors. */
export function refuseOptions(kind: string, findings: readonly FieldError[]): void {
  if (findings.length === 0) return;
  throw invalidObject({ group: 'meta.k8s.io', kind }, '', findings);
}
