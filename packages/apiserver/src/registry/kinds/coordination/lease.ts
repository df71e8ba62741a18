// Upstream: pkg/apis/coordination/validation/validation.go: ValidateLease
// Upstream: pkg/registry/coordination/lease/strategy.go
// Upstream: pkg/printers/internalversion/printers.go: printLease
import type { Lease } from 'client-ts/api/coordination/v1';
import { type FieldError, invalid } from '../../../validation/field-error.ts';
import type { Loose } from '../../../validation/loose.ts';
import { metaValidator, nonNegative } from '../../../validation/object-meta.ts';
import {
  ageColumn,
  column,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import type { Strategy } from '../../strategy.ts';

type LooseLease = Loose<Lease>;

const meta = metaValidator({ namespaced: true });

/** Rules of Leases. */
export const leaseStrategy: Strategy<LooseLease> = {
  prepareForCreate: (lease) => dropCoordination(lease),
  prepareForUpdate: dropCoordination,
  validate: (lease) => [...meta.create(lease), ...validateSpec(lease)],
  validateUpdate: (lease, old) => [...meta.update(lease, old), ...validateSpec(lease)],
  generation: 'none',
  createOnUpdate: true,
  unconditionalUpdate: false,
};

/** Drops fields whose feature gate is off by default. */
function dropCoordination(lease: LooseLease, old?: LooseLease): void {
  if (old?.spec?.strategy === undefined) delete lease.spec?.strategy;
  if (old?.spec?.preferredHolder === undefined) delete lease.spec?.preferredHolder;
}

function validateSpec({ spec = {} }: LooseLease): FieldError[] {
  const { leaseDurationSeconds: duration } = spec;
  return [
    ...(duration !== undefined && duration <= 0
      ? [invalid('spec.leaseDurationSeconds', duration, 'must be greater than 0')]
      : []),
    ...nonNegative(spec.leaseTransitions, 'spec.leaseTransitions'),
  ];
}

/** The table of Leases. */
export const leasePrinter: Printer<Printable<Lease>> = printer([
  nameColumn(),
  column('Holder', 'Identity of the holder', ({ spec }) => spec?.holderIdentity ?? ''),
  ageColumn(),
]);
