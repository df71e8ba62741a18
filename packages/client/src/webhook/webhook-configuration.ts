import type {
  MatchCondition,
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
  WebhookClientConfig,
} from '../api/admissionregistration/v1.ts';
import type { CustomResourceConversion } from '../api/apiextensions/v1.ts';
import { OptionError } from '../lib/option-error.ts';
import type { ResourceDescriptor } from '../meta/resource.ts';
import type { LabelSelector } from '../meta/types.ts';

/** The operations that a webhook can be called for. */
export type AdmissionOperation = 'CONNECT' | 'CREATE' | 'DELETE' | 'UPDATE';

/** Options of an admission webhook that its configuration repeats. The fields are those of the API. */
export interface AdmissionWebhookOptions {
  /** Where it is served. Default as in controller-runtime: `/validate-example-com-v1-site`. */
  readonly path?: string | undefined;
  /** A domain name with three parts. Default: from the path and the group. */
  readonly name?: string | undefined;
  /** Also called for these subresources: `status`. Default: none. */
  readonly subresources?: readonly string[] | undefined;
  /** What the server does if the webhook fails. Default `Fail`. */
  readonly failurePolicy?: 'Fail' | 'Ignore' | undefined;
  /** Whether calls have effects outside the object. Default `None`. */
  readonly sideEffects?: 'None' | 'NoneOnDryRun' | undefined;
  /** `Equivalent` converts requests through other versions to that of the descriptor. Default. */
  readonly matchPolicy?: 'Equivalent' | 'Exact' | undefined;
  /** Conditions in CEL, which must all be true for a call. */
  readonly matchConditions?: readonly MatchCondition[] | undefined;
  /** Selects namespaces by label. Default: all. */
  readonly namespaceSelector?: LabelSelector | undefined;
  /** Selects objects by label; the old or the new object must match. Default: all. */
  readonly objectSelector?: LabelSelector | undefined;
  /** How long the server waits, from 1 to 30. Default 10. */
  readonly timeoutSeconds?: number | undefined;
}

/** A registered admission webhook. */
export interface AdmissionRegistration {
  readonly type: 'mutating' | 'validating';
  readonly path: string;
  readonly resource: ResourceDescriptor;
  readonly operations: readonly AdmissionOperation[];
  readonly options: AdmissionWebhookOptions;
  readonly reinvocationPolicy?: 'IfNeeded' | 'Never' | undefined;
}

/** How API servers reach the webhooks: a Service in the cluster, or a URL. */
export type WebhookAddress = {
  /**
   * The certificates in PEM form that signed the one of the webhook server. Default: those that the
   * API server's system trusts.
   */
  readonly caBundle?: string | undefined;
} & (
  | {
      readonly service: {
        readonly namespace: string;
        readonly name: string;
        /** Default 443. */
        readonly port?: number | undefined;
      };
      readonly url?: undefined;
    }
  | {
      /** `https://host:port`, to which the path of each webhook is added. */
      readonly url: string;
      readonly service?: undefined;
    }
);

/** Options of a webhook configuration: its name, and how servers reach the webhooks. */
export type WebhookConfigurationOptions = WebhookAddress & {
  /** The name of the configuration object. */
  readonly name: string;
};

/** Returns the default path of a webhook. */
export function defaultPath(
  type: AdmissionRegistration['type'],
  { group, version, kind }: ResourceDescriptor,
): string {
  const verb = type === 'mutating' ? 'mutate' : 'validate';
  return `/${verb}-${group.replaceAll('.', '-')}-${version}-${kind.toLowerCase()}`;
}

/** Returns the configuration object of the validating webhooks. */
export function validatingConfiguration(
  registrations: readonly AdmissionRegistration[],
  options: WebhookConfigurationOptions,
): ValidatingWebhookConfiguration {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: options.name },
    webhooks: registrations
      .filter(({ type }) => type === 'validating')
      .map((registration) => webhookOf(registration, options)),
  };
}

/** Returns the configuration object of the mutating webhooks. */
export function mutatingConfiguration(
  registrations: readonly AdmissionRegistration[],
  options: WebhookConfigurationOptions,
): MutatingWebhookConfiguration {
  const webhooks = registrations
    .filter(({ type }) => type === 'mutating')
    .map((registration): MutatingWebhook => {
      const { reinvocationPolicy } = registration;
      const webhook = webhookOf(registration, options);
      return reinvocationPolicy === undefined ? webhook : { ...webhook, reinvocationPolicy };
    });
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: options.name },
    webhooks,
  };
}

/** Returns `spec.conversion` of a CRD whose conversion is served at a path. */
export function conversionStanza(path: string, address: WebhookAddress): CustomResourceConversion {
  return {
    strategy: 'Webhook',
    webhook: { clientConfig: clientConfigOf(path, address), conversionReviewVersions: ['v1'] },
  };
}

function webhookOf(
  { path, resource, operations, options }: AdmissionRegistration,
  address: WebhookAddress,
): ValidatingWebhook {
  const { group, version, resource: plural, scope } = resource;
  const { subresources = [], sideEffects = 'None', name = defaultName(path, group) } = options;
  const { path: _path, name: _name, subresources: _subresources, ...rest } = options;
  return {
    ...(withoutUndefined(rest) as Partial<ValidatingWebhook>),
    name,
    sideEffects,
    admissionReviewVersions: ['v1'],
    clientConfig: clientConfigOf(path, address),
    rules: [
      {
        apiGroups: [group],
        apiVersions: [version],
        operations: [...operations],
        resources: [plural, ...subresources.map((subresource) => `${plural}/${subresource}`)],
        scope,
      },
    ],
  };
}

/** Names must have three parts; groups of Kubernetes without a dot get its domain. */
function defaultName(path: string, group: string): string {
  const domain = group.includes('.') ? group : `${group === '' ? 'core' : group}.k8s.io`;
  const first = path.toLowerCase().replaceAll(/[^\da-z]+/g, '-');
  return `${first.replaceAll(/^-|-$/g, '')}.${domain}`;
}

function clientConfigOf(path: string, address: WebhookAddress): WebhookClientConfig {
  const { caBundle, service, url } = address;
  const ca = caBundle === undefined ? {} : { caBundle: Buffer.from(caBundle).toString('base64') };
  if (service !== undefined) {
    const { namespace, name, port } = service;
    return { ...ca, service: { namespace, name, path, ...(port !== undefined && { port }) } };
  }
  if (!url.startsWith('https://')) {
    throw new OptionError('url', `"${url}" does not begin with https://`);
  }
  return { ...ca, url: url.replace(/\/$/, '') + path };
}

function withoutUndefined(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
