import type { CustomResourceDefinition } from 'client-ts/api/apiextensions/v1';
import { quoteGo } from 'client-ts/internal';

/** Groups of the Kubernetes community may only be used with its approval, given by annotation. */
export interface Approval {
  readonly state: 'approved' | 'bypassed' | 'invalid' | 'missing';
  readonly annotation: string;
  /** What the annotation says. */
  readonly text: string;
  readonly message: string;
}

const ANNOTATION = 'api-approved.kubernetes.io';
const SEE = 'see https://github.com/kubernetes/enhancements/pull/1111';

/** Whether a definition in a protected group is approved; undefined for all other groups. */
export function approvalOf({ spec, metadata }: CustomResourceDefinition): Approval | undefined {
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(spec.group ?? '')) return undefined;
  const text = metadata?.annotations?.[ANNOTATION] ?? '';
  const rule = `protected groups must have approval annotation ${quoteGo(ANNOTATION)}`;
  const of = (state: Approval['state'], message: string): Approval => ({
    state,
    annotation: ANNOTATION,
    text,
    message,
  });
  if (text === '') return of('missing', `${rule}, ${SEE}`);
  if (text.startsWith('unapproved')) return of('bypassed', `not approved: ${quoteGo(text)}`);
  if (URL.canParse(text) && new URL(text).host !== '') return of('approved', `approved in ${text}`);
  return of('invalid', `${rule} with either a URL or a reason starting with "unapproved", ${SEE}`);
}
