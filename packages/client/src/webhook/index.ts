/**
 * A server for admission and conversion webhooks, typed by descriptor.
 *
 * @module
 */

export {
  type Admission,
  type AdmissionDetails,
  type AdmissionVerdict,
  allowed,
  type AllowedOptions,
  denied,
  type DeniedOptions,
  type Mutator,
  type Validator,
} from './admission.ts';
export type {
  ConversionRequest,
  ConversionResponse,
  ConversionReview,
  Converter,
  VersionedObject,
} from './conversion.ts';
export type {
  AdmissionOperation,
  AdmissionWebhookOptions,
  WebhookAddress,
  WebhookConfigurationOptions,
} from './webhook-configuration.ts';
export { WEBHOOK_ERRORS, WebhookError, type WebhookErrorCode } from './webhook-error.ts';
export { WebhookServer, type WebhookServerOptions } from './webhook-server.ts';
export {
  type ConversionOptions,
  type MutatingOptions,
  type ValidatingOptions,
  type WebhookRequest,
  type WebhookResponse,
  Webhooks,
  type WebhooksOptions,
} from './webhooks.ts';
