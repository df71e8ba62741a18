// Upstream: pkg/apis/certificates/v1/defaults.go
// Upstream: pkg/apis/certificates/validation/validation.go
// Upstream: pkg/registry/certificates/certificates/strategy.go
// Upstream: pkg/printers/internalversion/printers.go: printCertificateSigningRequest
import type * as certificates from 'client-ts/api/certificates/v1';
import { jsonEqual } from 'client-ts/internal';
import { findStatusCondition, formatTime, humanDuration } from 'client-ts/meta';
import { parseCertificateRequest } from '../../../validation/certificate-request.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../../../validation/field-error.ts';
import type { Loose } from '../../../validation/loose.ts';
import { metaValidator } from '../../../validation/object-meta.ts';
import { validateSignerName } from '../../../validation/signer-name.ts';
import {
  ageColumn,
  column,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import { NONE, orNone } from '../../printers/texts.ts';
import type { RequestUser, Strategy, StrategyContext } from '../../strategy.ts';
import { copyFields } from '../support.ts';
import { checkApproval, checkSigning, checkSubject } from './signers.ts';

type Request = Loose<certificates.CertificateSigningRequest>;
type Condition = Loose<certificates.CertificateSigningRequestCondition>;

const USAGES = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];
const LEGACY_SIGNER = 'kubernetes.io/legacy-unknown';
const TEN_MINUTES = 600;
const CONDITIONS = 'status.conditions';

const meta = metaValidator({ namespaced: false, validateName: () => [] });

/** Rules of CertificateSigningRequests. `/approval` may approve and deny, `/status` may issue. */
export const certificateSigningRequestStrategy: Strategy<Request> = {
  prepareForCreate: (request, { user }) => {
    recordRequester(request, user);
    request.status = {};
  },
  prepareForUpdate: (request, old) => copyFields(request, old, 'spec', 'status'),
  validate: (request) => validateRequest(request, undefined),
  validateUpdate: (request, old) => validateUpdate(request, old, {}),
  check: (request, old) => {
    if (old === undefined) checkSubject(request);
  },
  prepareForStatusUpdate: (request, old, context) => {
    copyFields(request, old, 'spec');
    keepDecisions(request, old);
    dateConditions(request, old, context);
  },
  validateStatusUpdate: (request, old) => validateUpdate(request, old, { maySign: true }),
  checkStatusUpdate: checkSigning,
  subresources: {
    approval: {
      prepare: (request, old, context) => {
        dateConditions(request, old, context);
        const { conditions } = request.status ?? {};
        copyFields(request, old, 'spec');
        request.status = { ...old.status };
        delete request.status.conditions;
        if (conditions !== undefined) request.status.conditions = conditions;
      },
      validate: (request, old) => validateUpdate(request, old, { mayDecide: true }),
      check: checkApproval,
    },
  },
  validateName: () => [],
  selectableFields: ({ spec }) => ({ 'spec.signerName': spec?.signerName ?? '' }),
  selectableFieldNames: ['metadata.name', 'spec.signerName'],
  generation: 'none',
};

/** Records the requesting user in the spec; values from the client are overwritten. */
function recordRequester(request: Request, user: RequestUser | undefined): void {
  const spec = (request.spec ??= {});
  for (const name of ['username', 'uid', 'groups', 'extra'] as const) delete spec[name];
  if (user === undefined) return;
  spec.username = user.name;
  if (user.uid) spec.uid = user.uid;
  if (user.groups.length > 0) spec.groups = [...user.groups];
  const extra = Object.entries(user.extra ?? {});
  if (extra.length > 0) {
    spec.extra = Object.fromEntries(extra.map(([key, values]) => [key, [...values]]));
  }
}

/** Keeps the conditions that only `/approval` may change. */
function keepDecisions(request: Request, old: Request): void {
  const conditions = request.status?.conditions ?? [];
  for (const type of ['Approved', 'Denied']) {
    const before = (old.status?.conditions ?? []).filter((each) => each.type === type);
    const indexes = [...conditions.keys()].filter((index) => conditions[index]?.type === type);
    if (before.length !== indexes.length) continue;
    for (const [position, index] of indexes.entries()) {
      const condition = before[position];
      if (condition) conditions[index] = condition;
    }
  }
}

function dateConditions(request: Request, old: Request, { clock }: StrategyContext): void {
  const now = formatTime(clock.now());
  for (const condition of request.status?.conditions ?? []) {
    const same = (old.status?.conditions ?? []).find(
      ({ type, status, lastTransitionTime }) =>
        type === condition.type && status === condition.status && lastTransitionTime !== undefined,
    );
    condition.lastUpdateTime ??= now;
    condition.lastTransitionTime ??= same?.lastTransitionTime ?? now;
  }
}

function validateRequest(request: Request, old: Request | undefined): FieldError[] {
  const { spec = {}, status = {} } = request;
  const { usages = [], signerName = '', expirationSeconds: seconds } = spec;
  const before = old?.spec?.usages ?? [];
  const hadUnknown = before.some((usage) => !USAGES.includes(usage));
  const hadRepeated = new Set(before).size < before.length;
  return [
    ...meta.create(request),
    ...validateRequestPem(spec.request ?? ''),
    ...(usages.length === 0 ? [required('spec.usages')] : []),
    ...usages.flatMap((usage, index) =>
      hadUnknown || USAGES.includes(usage)
        ? []
        : [notSupported(`spec.usages[${index}]`, usage, USAGES)],
    ),
    ...usages.flatMap((usage, index) =>
      !hadRepeated && usages.indexOf(usage) < index
        ? [duplicate(`spec.usages[${index}]`, usage)]
        : [],
    ),
    ...(signerName === LEGACY_SIGNER && old?.spec?.signerName !== LEGACY_SIGNER
      ? [
          invalid(
            'spec.signerName',
            signerName,
            'the legacy signerName is not allowed via this API version',
          ),
        ]
      : validateSignerName(signerName, 'spec.signerName')),
    ...(seconds !== undefined && seconds < TEN_MINUTES
      ? [
          invalid(
            'spec.expirationSeconds',
            seconds,
            'may not specify a duration less than 600 seconds (10 minutes)',
          ),
        ]
      : []),
    ...validateConditions(status.conditions ?? []),
    ...validateCertificate(status.certificate ?? '', old?.status?.certificate ?? ''),
  ];
}

function validateRequestPem(base64: string): FieldError[] {
  const { problem } = parseCertificateRequest(Buffer.from(base64, 'base64').toString());
  return problem === undefined ? [] : [invalid('spec.request', base64, problem)];
}

function validateCertificate(base64: string, old: string): FieldError[] {
  if (base64 === '' || base64 === old) return [];
  const text = Buffer.from(base64, 'base64').toString();
  const types = [...text.matchAll(/-----BEGIN ([^-]+)-----/g)].map(([, type = '']) => type);
  const wrong = types.find((type) => type !== 'CERTIFICATE');
  if (types.length > 0 && wrong === undefined) return [];
  const detail =
    wrong === undefined
      ? 'must contain at least one CERTIFICATE PEM block'
      : `only CERTIFICATE PEM blocks are allowed, found "${wrong}"`;
  return [invalid('status.certificate', '<certificate data>', detail)];
}

/** Conditions that exclude each other. */
const OPPOSITES: ReadonlyMap<string, string> = new Map([
  ['Approved', 'Denied'],
  ['Denied', 'Approved'],
]);

function validateConditions(conditions: readonly Condition[]): FieldError[] {
  return conditions.flatMap(({ type = '', status = '' }, index) => {
    const field = `${CONDITIONS}[${index}]`;
    const isDecision = ['Approved', 'Denied', 'Failed'].includes(type);
    const statuses = isDecision ? ['True'] : ['False', 'True', 'Unknown'];
    const earlier = conditions.slice(0, index);
    const opposite = OPPOSITES.get(type);
    return [
      ...(type === '' ? [required(`${field}.type`)] : []),
      ...(status === ''
        ? [required(`${field}.status`)]
        : statuses.includes(status)
          ? []
          : [notSupported(`${field}.status`, status, statuses)]),
      ...(opposite !== undefined && earlier.some((other) => other.type === opposite)
        ? [invalid(CONDITIONS, type, 'Approved and Denied conditions are mutually exclusive')]
        : []),
      ...(earlier.some((other) => (other.type ?? '') === type)
        ? [duplicate(`${field}.type`, type)]
        : []),
    ];
  });
}

interface Rights {
  /** May approve and deny. */
  readonly mayDecide?: boolean;
  /** May set the certificate. */
  readonly maySign?: boolean;
}

function validateUpdate(
  request: Request,
  old: Request,
  { mayDecide = false, maySign = false }: Rights,
): FieldError[] {
  const of = ({ status }: Request, type: string): Condition[] =>
    (status?.conditions ?? []).filter((each) => each.type === type);
  const certificate = request.status?.certificate ?? '';
  const oldCertificate = old.status?.certificate ?? '';
  return [
    ...validateRequest(request, old),
    ...['Approved', 'Denied', 'Failed'].flatMap((type) =>
      of(request, type).length < of(old, type).length
        ? [forbidden(CONDITIONS, `updates may not remove a condition of type "${type}"`)]
        : [],
    ),
    ...(mayDecide ? [] : ['Approved', 'Denied']).flatMap((type) => {
      const after = of(request, type);
      const before = of(old, type);
      if (after.length < before.length || jsonEqual(after, before)) return [];
      const verb = after.length > before.length ? 'add' : 'modify';
      return [forbidden(CONDITIONS, `updates may not ${verb} a condition of type "${type}"`)];
    }),
    ...(certificate === oldCertificate
      ? []
      : maySign
        ? oldCertificate === ''
          ? []
          : [forbidden('status.certificate', 'updates may not modify existing certificate content')]
        : [forbidden('status.certificate', 'updates may not set certificate content')]),
    ...meta.update(request, old),
  ];
}

/** The table of CertificateSigningRequests. */
export const certificateSigningRequestPrinter: Printer<
  Printable<certificates.CertificateSigningRequest>
> = printer([
  nameColumn(),
  ageColumn(),
  column('SignerName', 'Name of the signer', ({ spec }) => orNone(spec?.signerName)),
  column('Requestor', 'User who requested the certificate', ({ spec }) => spec?.username ?? ''),
  column('RequestedDuration', 'Requested lifetime of the certificate', ({ spec }) =>
    spec?.expirationSeconds === undefined ? NONE : humanDuration(spec.expirationSeconds * 1000),
  ),
  column('Condition', 'Approval and issuance', requestCondition),
]);

function requestCondition({ status }: Printable<certificates.CertificateSigningRequest>): string {
  const has = (type: string): boolean =>
    findStatusCondition(status?.conditions, type) !== undefined;
  const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  const failed = has('Failed') ? ',Failed' : '';
  const issued = (status?.certificate ?? '') === '' ? '' : ',Issued';
  return `${decision}${failed}${issued}`;
}
