// Upstream: plugin/pkg/admission/certificates/approval/admission.go
// Upstream: plugin/pkg/admission/certificates/signing/admission.go
// Upstream: plugin/pkg/admission/certificates/subjectrestriction/admission.go
// Upstream: pkg/certauthorization/certauthorization.go
import type * as certificates from 'client-ts/api/certificates/v1';
import { jsonEqual, quoteGo } from 'client-ts/internal';
import { newForbidden } from 'client-ts/meta';
import { parseCertificateRequest } from '../../../validation/certificate-request.ts';
import type { Loose } from '../../../validation/loose.ts';
import type { StrategyContext } from '../../strategy.ts';

type Request = Loose<certificates.CertificateSigningRequest>;

const GROUP = 'certificates.k8s.io';
const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client';
const ADMINISTRATORS = 'system:masters';

/** Throws a 403 if the user may not approve or deny for the signer. */
export function checkApproval(_: Request, old: Request, context: StrategyContext): void {
  requireSigner('approve', old, context);
}

/** Throws a 403 if the user may not sign for the signer, and changes more than labels. */
export function checkSigning(request: Request, old: Request, context: StrategyContext): void {
  const { certificate, conditions = [] } = request.status ?? {};
  const before = old.status ?? {};
  const isSame =
    certificate === before.certificate && jsonEqual(conditions, before.conditions ?? []);
  if (!isSame) requireSigner('sign', old, context);
}

function requireSigner(
  verb: 'approve' | 'sign',
  { metadata, spec }: Request,
  context: StrategyContext,
): void {
  const { signerName = '' } = spec ?? {};
  if (maySign(verb, signerName, context)) return;
  const detail = `user not permitted to ${verb} requests with signerName ${quoteGo(signerName)}`;
  throw refusal(metadata?.name, detail);
}

/** Returns true with the permission for this signer, or for all signers of its domain. */
function maySign(verb: string, signerName: string, { isAllowed }: StrategyContext): boolean {
  const [domain = ''] = signerName.split('/');
  return [signerName, `${domain}/*`].some((name) =>
    isAllowed({ verb, group: GROUP, resource: 'signers', name }),
  );
}

/** Throws a 403 if a client certificate would make its holder an administrator. */
export function checkSubject({ metadata, spec }: Request): void {
  if (spec?.signerName !== CLIENT_SIGNER) return;
  const pem = Buffer.from(spec.request ?? '', 'base64').toString();
  if (!parseCertificateRequest(pem).organizations.includes(ADMINISTRATORS)) return;
  const detail = `use of ${CLIENT_SIGNER} signer with ${ADMINISTRATORS} group is not allowed`;
  throw refusal(metadata?.name, detail);
}

function refusal(name: string | undefined, detail: string): Error {
  const resource = 'certificatesigningrequests';
  return newForbidden({ group: GROUP, resource }, name ?? '', detail);
}
