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

/** A right that one holder at a time has. */
export const leaseStrategy: Strategy<LooseLease> = {
  prepareForCreate: (lease) => dropCoordination(lease),
  prepareForUpdate: dropCoordination,
  validate: (lease) => [...meta.create(lease), ...validateSpec(lease)],
  validateUpdate: (lease, old) => [...meta.update(lease, old), ...validateSpec(lease)],
  generation: 'none',
  createOnUpdate: true,
  unconditionalUpdate: false,
};

/** Fields of a feature that is off unless a cluster turns it on. */
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
  column('Holder', 'Who holds the lease', ({ spec }) => spec?.holderIdentity ?? ''),
  ageColumn(),
]);
