// Upstream: pkg/apis/coordination/validation/validation.go: ValidateLeaseCandidate
// Upstream: pkg/registry/coordination/leasecandidate/strategy.go
// Upstream: pkg/printers/internalversion/printers.go: printLeaseCandidate
import type * as coordination from 'client-ts/api/coordination/v1beta1';
import { requireFields } from '../../../validation/choices.ts';
import type { FieldError } from '../../../validation/field-error.ts';
import type { Loose } from '../../../validation/loose.ts';
import { validateConfigMapKey } from '../../../validation/names.ts';
import { immutable, metaValidator } from '../../../validation/object-meta.ts';
import {
  ageColumn,
  column,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import type { Strategy } from '../../strategy.ts';

type Candidate = Loose<coordination.LeaseCandidate>;

const meta = metaValidator({ namespaced: true, validateName: validateConfigMapKey });

/** Rules of LeaseCandidates. */
export const leaseCandidateStrategy: Strategy<Candidate> = {
  validate: (candidate) => [...meta.create(candidate), ...validateSpec(candidate)],
  validateUpdate: (candidate, old) => [
    ...meta.update(candidate, old),
    ...validateSpec(candidate),
    ...immutable(candidate.spec?.leaseName ?? '', old.spec?.leaseName ?? '', 'spec.leaseName'),
  ],
  validateName: validateConfigMapKey,
  generation: 'none',
  createOnUpdate: true,
  unconditionalUpdate: false,
};

function validateSpec({ spec = {} }: Candidate): FieldError[] {
  return requireFields(spec, 'spec', ['leaseName', 'binaryVersion', 'strategy']);
}

/** The table of LeaseCandidates. */
export const leaseCandidatePrinter: Printer<Printable<coordination.LeaseCandidate>> = printer([
  nameColumn(),
  column('LeaseName', 'Lease that the candidate runs for', ({ spec }) => spec?.leaseName ?? ''),
  column('BinaryVersion', 'Version of the binary', ({ spec }) => spec?.binaryVersion ?? ''),
  column(
    'EmulationVersion',
    'Version that the binary emulates',
    ({ spec }) => spec?.emulationVersion ?? '',
  ),
  ageColumn(),
]);
