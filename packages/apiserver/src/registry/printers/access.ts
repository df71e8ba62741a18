import type { CertificateSigningRequest } from 'client-ts/api/certificates/v1';
import type { ClusterRoleBinding, RoleBinding, Subject } from 'client-ts/api/rbac/v1';
import { humanDuration } from './ages.ts';
import { findCondition } from './conditions.ts';
import {
  ageColumn,
  type Column,
  column,
  nameColumn,
  type Printable,
  printer,
  type Printer,
} from './printer.ts';
import { NONE, orNone } from './texts.ts';

type Binding = Printable<ClusterRoleBinding> | Printable<RoleBinding>;

/** The table of RoleBindings and ClusterRoleBindings. */
export const roleBindingPrinter: Printer<Binding> = printer<Binding>([
  nameColumn(),
  column(
    'Role',
    'Role that is given',
    ({ roleRef }) => `${roleRef?.kind ?? ''}/${roleRef?.name ?? ''}`,
  ),
  ageColumn(),
  subjectColumn('Users', 'Users who get the role', 'User', ({ name = '' }) => name),
  subjectColumn('Groups', 'Groups that get the role', 'Group', ({ name = '' }) => name),
  subjectColumn(
    'ServiceAccounts',
    'Service accounts that get the role, with their namespaces',
    'ServiceAccount',
    ({ namespace = '', name = '' }) => `${namespace}/${name}`,
  ),
]);

function subjectColumn(
  name: string,
  description: string,
  kind: string,
  format: (subject: Printable<Subject>) => string,
): Column<Binding> {
  const list = ({ subjects }: Binding): string =>
    (subjects ?? [])
      .filter((subject) => subject.kind === kind)
      .map(format)
      .join(', ');
  return column(name, description, list, { wide: true });
}

/** The table of CertificateSigningRequests. */
export const certificateSigningRequestPrinter: Printer<Printable<CertificateSigningRequest>> =
  printer([
    nameColumn(),
    ageColumn(),
    column('SignerName', 'Who is to sign', ({ spec }) => orNone(spec?.signerName)),
    column('Requestor', 'Who asks for the certificate', ({ spec }) => spec?.username ?? ''),
    column('RequestedDuration', 'How long the certificate is to be good', ({ spec }) =>
      spec?.expirationSeconds === undefined ? NONE : humanDuration(spec.expirationSeconds * 1000),
    ),
    column('Condition', 'What has been decided and done', requestCondition),
  ]);

function requestCondition({ status }: Printable<CertificateSigningRequest>): string {
  const has = (type: string): boolean => findCondition(status?.conditions, type) !== undefined;
  const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  const failed = has('Failed') ? ',Failed' : '';
  const issued = (status?.certificate ?? '') === '' ? '' : ',Issued';
  return `${decision}${failed}${issued}`;
}
