import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  ParamKind,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from 'client-ts/api/admissionregistration/v1';
import type { LabelSelector } from 'client-ts/meta';
import {
  ageColumn,
  type Column,
  column,
  nameColumn,
  type Printable,
  printer,
  type Printer,
} from './printer.ts';
import { UNSET } from './texts.ts';

type WebhookConfiguration =
  | Printable<MutatingWebhookConfiguration>
  | Printable<ValidatingWebhookConfiguration>;

/** The table of both kinds of webhook configurations. */
export const webhookConfigurationPrinter: Printer<WebhookConfiguration> =
  printer<WebhookConfiguration>([
    nameColumn(),
    column('Webhooks', 'Number of webhooks', ({ webhooks }) => (webhooks ?? []).length, {
      type: 'integer',
    }),
    ageColumn(),
  ]);

/** The table of ValidatingAdmissionPolicies. */
export const validatingAdmissionPolicyPrinter: Printer<Printable<ValidatingAdmissionPolicy>> =
  printer([
    nameColumn(),
    column('Validations', 'Number of rules', ({ spec }) => (spec?.validations ?? []).length, {
      type: 'integer',
    }),
    paramKindColumn(),
    ageColumn(),
  ]);

/** The table of MutatingAdmissionPolicies. */
export const mutatingAdmissionPolicyPrinter: Printer<Printable<MutatingAdmissionPolicy>> = printer([
  nameColumn(),
  column('Mutations', 'Number of changes', ({ spec }) => (spec?.mutations ?? []).length, {
    type: 'integer',
  }),
  paramKindColumn(),
  ageColumn(),
]);

function paramKindColumn<
  T extends { readonly spec?: { readonly paramKind?: Printable<ParamKind> } },
>(): Column<T> {
  return column('ParamKind', 'Kind of the objects that hold settings of the policy', ({ spec }) =>
    spec?.paramKind === undefined
      ? UNSET
      : `${spec.paramKind.apiVersion ?? ''}/${spec.paramKind.kind ?? ''}`,
  );
}

type PolicyBinding =
  | Printable<MutatingAdmissionPolicyBinding>
  | Printable<ValidatingAdmissionPolicyBinding>;

/** The table of both kinds of admission policy bindings. */
export const admissionPolicyBindingPrinter: Printer<PolicyBinding> = printer<PolicyBinding>([
  nameColumn(),
  column('PolicyName', 'Policy that is put into force', ({ spec }) => spec?.policyName ?? ''),
  column('ParamRef', 'Object that holds the settings, with its namespace', formatParamRef),
  ageColumn(),
]);

function formatParamRef({ spec }: PolicyBinding): string {
  const { name = '', namespace = '', selector } = spec?.paramRef ?? {};
  // Whether the object lives in a namespace is not known here.
  if (name !== '') return `${namespace === '' ? '*' : namespace}/${name}`;
  return selector === undefined ? UNSET : formatProtoSelector(selector);
}

/** A selector the way that Go's protobuf code prints one. */
function formatProtoSelector({ matchLabels, matchExpressions }: Printable<LabelSelector>): string {
  const labels = Object.entries(matchLabels ?? {})
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, value]) => `${key}: ${value},`)
    .join('');
  const expressions = (matchExpressions ?? [])
    .map(
      ({ key = '', operator = '', values }) =>
        `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${(values ?? []).join(' ')}],},`,
    )
    .join('');
  return `&LabelSelector{MatchLabels:map[string]string{${labels}},MatchExpressions:[]LabelSelectorRequirement{${expressions}},}`;
}
