// Upstream: pkg/apis/admissionregistration/v1/defaults.go
// Upstream: pkg/apis/admissionregistration/validation/validation.go:
//   ValidateValidatingWebhookConfiguration, ValidateMutatingWebhookConfiguration
// Upstream: pkg/registry/admissionregistration/validatingwebhookconfiguration/strategy.go
// Upstream: pkg/registry/admissionregistration/mutatingwebhookconfiguration/strategy.go
// Upstream: staging/src/k8s.io/apiserver/pkg/util/webhook/validation.go
// Upstream: pkg/printers/internalversion/printers.go
import type * as admission from 'client-ts/api/admissionregistration/v1';
import type { WebhookClientConfig } from 'client-ts/api/apiextensions/v1';
import { jsonEqual } from 'client-ts/internal';
import { validateDns1035Label, validateDns1123Subdomain } from 'client-ts/meta';
import { validateWebhookClientConfig } from '../../../crd/webhook-rules.ts';
import { validateOptionalChoice } from '../../../validation/choices.ts';
import {
  duplicate,
  type FieldError,
  invalid,
  invalidEach,
  notSupported,
  required,
} from '../../../validation/field-error.ts';
import { validateLabelSelector } from '../../../validation/labels.ts';
import type { Loose } from '../../../validation/loose.ts';
import { metaValidator } from '../../../validation/object-meta.ts';
import {
  ageColumn,
  column,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import type { Strategy } from '../../strategy.ts';
import {
  FAILURE_POLICIES,
  MATCH_POLICIES,
  validateAdmissionRule,
  validateMatchConditions,
} from './rules.ts';

type Configuration = Loose<
  admission.MutatingWebhookConfiguration | admission.ValidatingWebhookConfiguration
>;
type Webhook = Loose<admission.MutatingWebhook>;

const HTTPS = 443;
const TEN_SECONDS = 10;
const LONGEST_TIMEOUT = 30;
const NO_SIDE_EFFECTS = ['None', 'NoneOnDryRun'];
const REVIEW_VERSIONS = ['v1', 'v1beta1'];
const meta = metaValidator({ namespaced: false });

/** Rules of ValidatingWebhookConfigurations. */
export const validatingWebhookStrategy: Strategy<Configuration> = webhookStrategy(false);
/** Rules of MutatingWebhookConfigurations. */
export const mutatingWebhookStrategy: Strategy<Configuration> = webhookStrategy(true);

function webhookStrategy(mutating: boolean): Strategy<Configuration> {
  return {
    setDefaults: ({ webhooks = [] }) => {
      for (const webhook of webhooks) setWebhookDefaults(webhook, mutating);
    },
    validate: (configuration) => validateConfiguration(configuration, undefined),
    validateUpdate: validateConfiguration,
    generation: ({ webhooks }, old) => !jsonEqual(webhooks, old.webhooks),
    unconditionalUpdate: false,
  };
}

function setWebhookDefaults(webhook: Webhook, mutating: boolean): void {
  webhook.failurePolicy ??= 'Fail';
  webhook.matchPolicy ??= 'Equivalent';
  webhook.namespaceSelector ??= {};
  webhook.objectSelector ??= {};
  webhook.timeoutSeconds ??= TEN_SECONDS;
  if (mutating) webhook.reinvocationPolicy ??= 'Never';
  for (const rule of webhook.rules ?? []) rule.scope ??= '*';
  const { service } = webhook.clientConfig ?? {};
  if (service) service.port ??= HTTPS;
}

/** Checks all webhooks. On update, newer rules apply only if the old object satisfied them. */
function validateConfiguration(
  configuration: Configuration,
  old: Configuration | undefined,
): FieldError[] {
  const { webhooks = [] } = configuration;
  const before = old?.webhooks ?? [];
  const wasOrderly = before.every(({ sideEffects = '' }) => NO_SIDE_EFFECTS.includes(sideEffects));
  const wasReadable = before.every(({ admissionReviewVersions: versions = [] }) =>
    versions.some((version) => REVIEW_VERSIONS.includes(version)),
  );
  const wasUnique = new Set(before.map(({ name }) => name)).size === before.length;
  return [
    ...meta.create(configuration),
    ...webhooks.flatMap((webhook, index) => {
      const field = `webhooks[${index}]`;
      const { name = '' } = webhook;
      const isRepeated = webhooks.slice(0, index).some((other) => other.name === name);
      return [
        ...validateWebhook(webhook, field, wasOrderly),
        ...validateReviewVersions(
          webhook.admissionReviewVersions ?? [],
          `${field}.admissionReviewVersions`,
          wasReadable,
        ),
        ...(wasUnique && name !== '' && isRepeated ? [duplicate(`${field}.name`, name)] : []),
      ];
    }),
  ];
}

function validateWebhook(webhook: Webhook, field: string, noSideEffects: boolean): FieldError[] {
  const { timeoutSeconds: timeout, sideEffects, rules = [], clientConfig = {} } = webhook;
  const allowed = noSideEffects ? NO_SIDE_EFFECTS : [...NO_SIDE_EFFECTS, 'Some', 'Unknown'];
  return [
    ...validateFullName(webhook.name ?? '', `${field}.name`),
    ...rules.flatMap((rule, index) => validateAdmissionRule(rule, `${field}.rules[${index}]`)),
    ...validateOptionalChoice(webhook.failurePolicy, FAILURE_POLICIES, `${field}.failurePolicy`),
    ...validateOptionalChoice(webhook.matchPolicy, MATCH_POLICIES, `${field}.matchPolicy`),
    ...(sideEffects === undefined
      ? [required(`${field}.sideEffects`, `must specify one of ${allowed.join(', ')}`)]
      : allowed.includes(sideEffects)
        ? []
        : [notSupported(`${field}.sideEffects`, sideEffects, allowed)]),
    ...(timeout !== undefined && (timeout > LONGEST_TIMEOUT || timeout < 1)
      ? [
          invalid(
            `${field}.timeoutSeconds`,
            timeout,
            'the timeout value must be between 1 and 30 seconds',
          ),
        ]
      : []),
    ...validateLabelSelector(webhook.namespaceSelector, `${field}.namespaceSelector`),
    ...validateLabelSelector(webhook.objectSelector, `${field}.objectSelector`),
    ...validateOptionalChoice(
      webhook.reinvocationPolicy,
      ['IfNeeded', 'Never'],
      `${field}.reinvocationPolicy`,
    ),
    ...validateWebhookClientConfig(clientConfig as WebhookClientConfig, `${field}.clientConfig`),
    ...validateMatchConditions(webhook.matchConditions ?? [], `${field}.matchConditions`),
  ];
}

function validateFullName(name: string, field: string): FieldError[] {
  if (name === '') return [required(field)];
  const problems = validateDns1123Subdomain(name);
  if (problems.length > 0) return [invalid(field, name, problems.join(','))];
  return name.split('.').length < 3
    ? [invalid(field, name, 'should be a domain with at least three segments separated by dots')]
    : [];
}

function validateReviewVersions(
  versions: readonly string[],
  field: string,
  requireKnown: boolean,
): FieldError[] {
  const known = REVIEW_VERSIONS.join(', ');
  if (versions.length === 0) return [required(field, `must specify one of ${known}`)];
  return [
    ...versions.flatMap((version, index) =>
      versions.indexOf(version) < index
        ? [invalid(`${field}[${index}]`, version, 'duplicate version')]
        : invalidEach(`${field}[${index}]`, version, validateDns1035Label(version)),
    ),
    ...(requireKnown && !versions.some((version) => REVIEW_VERSIONS.includes(version))
      ? [invalid(field, versions, `must include at least one of ${known}`)]
      : []),
  ];
}

type WebhookConfiguration =
  | Printable<admission.MutatingWebhookConfiguration>
  | Printable<admission.ValidatingWebhookConfiguration>;

/** The table of both kinds of webhook configurations. */
export const webhookConfigurationPrinter: Printer<WebhookConfiguration> =
  printer<WebhookConfiguration>([
    nameColumn(),
    column('Webhooks', 'Number of webhooks', ({ webhooks }) => (webhooks ?? []).length, {
      type: 'integer',
    }),
    ageColumn(),
  ]);
