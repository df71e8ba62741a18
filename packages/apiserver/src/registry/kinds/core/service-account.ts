// Upstream: pkg/apis/core/validation/validation.go: ValidateServiceAccount
// Upstream: pkg/registry/core/serviceaccount/strategy.go
// Upstream: pkg/printers/internalversion/printers.go: printServiceAccount
import type * as core from 'client-ts/api/core/v1';
import type { Loose } from '../../../validation/loose.ts';
import { metaValidator } from '../../../validation/object-meta.ts';
import {
  ageColumn,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import type { Strategy } from '../../strategy.ts';

type ServiceAccount = Loose<core.ServiceAccount>;

const ENFORCE_MOUNTABLE_SECRETS = 'kubernetes.io/enforce-mountable-secrets';
const meta = metaValidator({ namespaced: true });

/** Rules of ServiceAccounts. */
export const serviceAccountStrategy: Strategy<ServiceAccount> = {
  prepareForCreate: keepSecretNames,
  prepareForUpdate: keepSecretNames,
  validate: meta.create,
  validateUpdate: (account, old) => [...meta.update(account, old), ...meta.create(account)],
  warnings: (account, old) =>
    hasMark(account) && !(old !== undefined && hasMark(old))
      ? [
          `metadata.annotations[${ENFORCE_MOUNTABLE_SECRETS}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
        ]
      : [],
  generation: 'none',
  deleteReturnsObject: true,
};

/** Keeps only the names of secret references. */
function keepSecretNames(account: ServiceAccount): void {
  if (account.secrets === undefined) return;
  account.secrets = account.secrets.map(({ name = '' }) => ({ name }));
}

function hasMark({ metadata }: ServiceAccount): boolean {
  return metadata?.annotations?.[ENFORCE_MOUNTABLE_SECRETS] !== undefined;
}

/** The table of ServiceAccounts. */
export const serviceAccountPrinter: Printer<Printable<ServiceAccount>> = printer([
  nameColumn(),
  ageColumn(),
]);
