import type {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '../api/admissionregistration/v1.ts';
import type { CustomResourceConversion } from '../api/apiextensions/v1.ts';
import { guardCallback } from '../lib/callback.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { withDeadline } from '../lib/deadline.ts';
import { messageOf } from '../lib/errors.ts';
import type { JsonValue } from '../lib/json.ts';
import { errorLogger, type LoggerOption, loggerOf } from '../lib/logger.ts';
import { checkNumbers, OptionError } from '../lib/option-error.ts';
import { abortable } from '../lib/signal.ts';
import {
  type GroupKind,
  groupKindName,
  type ObjectOf,
  type ResourceDescriptor,
} from '../meta/resource.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { WebhookMetrics } from '../observe/webhook-metrics.ts';
import {
  type AdmissionHandler,
  admissionRequestOf,
  admissionReviewOf,
  type Mutator,
  mutatingHandler,
  type Validator,
  validatingHandler,
} from './admission.ts';
import { type Converter, conversionRequestOf, convertAll } from './conversion.ts';
import {
  type AdmissionOperation,
  type AdmissionRegistration,
  type AdmissionWebhookOptions,
  conversionStanza,
  defaultPath,
  mutatingConfiguration,
  validatingConfiguration,
  type WebhookAddress,
  type WebhookConfigurationOptions,
} from './webhook-configuration.ts';
import { WebhookError, type WebhookErrorCode } from './webhook-error.ts';

/** Options of {@link Webhooks}. */
export interface WebhooksOptions extends LoggerOption {
  /** The maximum size of an admission review. Default 7 MiB: two objects of the largest size. */
  readonly maxAdmissionBytes?: number | undefined;
  /** The maximum size of a conversion review, which may have many objects. Default 256 MiB. */
  readonly maxConversionBytes?: number | undefined;
  /** The time a handler has if the server names none. Default 10,000, as in Kubernetes. */
  readonly timeoutMs?: number | undefined;
  /** Counts reviews and measures how long they take. Default: nothing is measured. */
  readonly metrics?: WebhookMetrics | undefined;
  /** Called when a review cannot be answered. Default: logs a warning. */
  readonly onError?: ((error: WebhookError) => void) | undefined;
  readonly clock?: Clock | undefined;
}

/** Options of {@link Webhooks.validating}. */
export interface ValidatingOptions<T> extends AdmissionWebhookOptions {
  /** Default `CREATE` and `UPDATE`. */
  readonly operations?: readonly AdmissionOperation[] | undefined;
  readonly handle: Validator<T>;
}

/** Options of {@link Webhooks.mutating}. */
export interface MutatingOptions<T> extends AdmissionWebhookOptions {
  /** Default `CREATE` and `UPDATE`. */
  readonly operations?: readonly ('CREATE' | 'UPDATE')[] | undefined;
  /** `IfNeeded` calls it again if a later webhook changed the object. Default `Never`. */
  readonly reinvocationPolicy?: 'IfNeeded' | 'Never' | undefined;
  readonly mutate: Mutator<T>;
}

/** Options of {@link Webhooks.conversion}. */
export interface ConversionOptions<T> {
  /** Where it is served. Default `/convert-example-com-site`. */
  readonly path?: string | undefined;
  readonly convert: Converter<T>;
}

/** An HTTP request, from any server. */
export interface WebhookRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
}

/** The answer to a {@link WebhookRequest}. */
export interface WebhookResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Endpoint {
  readonly maxBytes: number;
  readonly answer: (review: JsonValue, signal: AbortSignal) => Promise<object>;
}

const STATUS: Readonly<Partial<Record<WebhookErrorCode, number>>> = {
  WEBHOOK_BODY_TOO_LARGE: 413,
  WEBHOOK_CONTENT_TYPE: 415,
  WEBHOOK_METHOD: 405,
  WEBHOOK_NOT_FOUND: 404,
  WEBHOOK_REVIEW_INVALID: 400,
  WEBHOOK_TIMED_OUT: 504,
};

/**
 * Webhooks of an API server: validation, mutation and conversion, typed by descriptor. Serve them
 * with a `WebhookServer`, or mount {@link Webhooks.handle} in a server of your own.
 *
 * ```ts
 * const webhooks = new Webhooks();
 * webhooks.validating(sites, {
 *   handle: ({ object }) => (object?.spec.replicas === 2 ? denied('replicas must be odd') : allowed()),
 * });
 * webhooks.mutating(sites, { mutate: (site) => void (site.spec.image ??= 'nginx') });
 * ```
 */
export class Webhooks {
  readonly #options: WebhooksOptions;
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #admissions: AdmissionRegistration[] = [];
  readonly #conversions = new Map<string, string>();
  readonly #report: (error: WebhookError) => void;

  constructor(options: WebhooksOptions = {}) {
    checkNumbers(options, {
      maxAdmissionBytes: 'count',
      maxConversionBytes: 'count',
      timeoutMs: 'duration',
    });
    this.#options = options;
    const logger = loggerOf(options.logger);
    const { onError = errorLogger(logger, 'webhook.failed') } = options;
    this.#report = guardCallback('onError of the webhooks', onError, logger);
  }

  /** The paths that are served. */
  get paths(): string[] {
    return [...this.#endpoints.keys()];
  }

  /** Adds a webhook that admits or rejects requests. */
  validating<T extends KubernetesObject>(
    resource: ResourceDescriptor<T>,
    definition: ValidatingOptions<T>,
  ): void {
    checkWebhook(resource, definition, 'handle');
    const { handle, operations = ['CREATE', 'UPDATE'], ...options } = definition;
    const { path = defaultPath('validating', resource) } = options;
    this.#addAdmission(path, validatingHandler(resource, handle));
    this.#admissions.push({ type: 'validating', path, resource, operations, options });
  }

  /** Adds a webhook that changes objects before they are stored. */
  mutating<T extends KubernetesObject>(
    resource: ResourceDescriptor<T>,
    definition: MutatingOptions<T>,
  ): void {
    checkWebhook(resource, definition, 'mutate');
    const { mutate, operations = ['CREATE', 'UPDATE'], ...rest } = definition;
    const { reinvocationPolicy, ...options } = rest;
    const { path = defaultPath('mutating', resource) } = options;
    this.#addAdmission(path, mutatingHandler(resource, mutate));
    const registration = { path, resource, operations, options, reinvocationPolicy };
    this.#admissions.push({ type: 'mutating', ...registration });
  }

  /**
   * Adds a webhook that converts the objects of a custom resource between its versions. The versions
   * are the descriptors of one kind.
   */
  conversion<const D extends readonly [ResourceDescriptor, ...ResourceDescriptor[]]>(
    versions: D,
    definition: ConversionOptions<ObjectOf<D[number]>>,
  ): void {
    if (!Array.isArray(versions) || versions.length === 0) {
      throw new OptionError('versions', 'must be an array of descriptors');
    }
    for (const version of versions) checkWebhook(version, definition, 'convert');
    const { convert, path: given } = definition;
    const [{ group, kind }] = versions;
    const name = groupKindName({ group, kind });
    const other = versions.find((version) => version.group !== group || version.kind !== kind);
    if (other !== undefined) {
      throw new OptionError('versions', `${groupKindName(other)} is not a version of ${name}`);
    }
    if (this.#conversions.has(name)) {
      throw new WebhookError('WEBHOOK_DUPLICATE', `${name} already has a conversion`);
    }
    const path = given ?? `/convert-${group.replaceAll('.', '-')}-${kind.toLowerCase()}`;
    this.#addEndpoint(path, {
      maxBytes: this.#options.maxConversionBytes ?? 256 * 2 ** 20,
      answer: (review) =>
        convertAll({ group, kind }, convert, conversionRequestOf(review), (error) =>
          this.#options.metrics?.failed?.('conversion', error),
        ),
    });
    this.#conversions.set(name, path);
  }

  /** Returns the configuration object of the validating webhooks, to be applied to the cluster. */
  validatingConfiguration(options: WebhookConfigurationOptions): ValidatingWebhookConfiguration {
    return validatingConfiguration(this.#admissions, options);
  }

  /** Returns the configuration object of the mutating webhooks, to be applied to the cluster. */
  mutatingConfiguration(options: WebhookConfigurationOptions): MutatingWebhookConfiguration {
    return mutatingConfiguration(this.#admissions, options);
  }

  /** Returns `spec.conversion` of the CRD of a kind that has a conversion. */
  conversionOf(groupKind: GroupKind, address: WebhookAddress): CustomResourceConversion {
    const name = groupKindName(groupKind);
    const path = this.#conversions.get(name);
    if (path === undefined) throw new OptionError('groupKind', `${name} has no conversion`);
    return conversionStanza(path, address);
  }

  /** Returns whether {@link conversion} was called for a kind. */
  hasConversion(groupKind: GroupKind): boolean {
    return this.#conversions.has(groupKindName(groupKind));
  }

  /** Returns the maximum size of a body at a path; 0 if nothing is served there. */
  maxBodyBytes(path: string): number {
    return this.#endpoints.get(pathname(path))?.maxBytes ?? 0;
  }

  /**
   * Answers an HTTP request. Never rejects: what is wrong with the request, or the failure of a
   * handler, is an answer with status 4xx or 5xx, to which servers apply the `failurePolicy`.
   */
  async handle(
    request: WebhookRequest,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<WebhookResponse> {
    const { metrics, clock = systemClock } = this.#options;
    const path = pathname(request.path);
    // A path that is not served could be any: it would make a series of its own.
    const ended = this.#endpoints.has(path) ? metrics?.started(path) : undefined;
    const startedAt = clock.monotonic();
    const response = await this.#respond(request, signal);
    ended?.(response.status, (clock.monotonic() - startedAt) / 1000);
    return response;
  }

  async #respond(
    request: WebhookRequest,
    signal: AbortSignal | undefined,
  ): Promise<WebhookResponse> {
    try {
      const body = JSON.stringify(await this.#answer(request, signal));
      return { status: 200, headers: { 'content-type': 'application/json' }, body };
    } catch (cause) {
      const error = asWebhookError(cause, pathname(request.path));
      if (error.code === 'WEBHOOK_HANDLER_FAILED') {
        this.#options.metrics?.failed?.('admission', error);
      }
      this.#report(error);
      const { code, message } = error;
      const allow = code === 'WEBHOOK_METHOD' ? { allow: 'POST' } : {};
      const headers = { 'content-type': 'text/plain; charset=utf-8', ...allow };
      return { status: STATUS[code] ?? 500, headers, body: `${message}\n` };
    }
  }

  async #answer(
    { method, path, headers, body }: WebhookRequest,
    signal: AbortSignal | undefined,
  ): Promise<object> {
    const endpoint = this.#endpoints.get(pathname(path));
    if (endpoint === undefined) {
      throw new WebhookError('WEBHOOK_NOT_FOUND', `no webhook is served at "${pathname(path)}"`);
    }
    if (method !== 'POST') {
      throw new WebhookError('WEBHOOK_METHOD', `${method} is not POST`);
    }
    const type = String(headers['content-type'] ?? '');
    if (!/^application\/json\s*(?:;|$)/i.test(type)) {
      throw new WebhookError('WEBHOOK_CONTENT_TYPE', `"${type}" is not application/json`);
    }
    if (body.length > endpoint.maxBytes) throw tooLarge(endpoint.maxBytes);
    const review = parseReview(body);
    const { clock = systemClock, timeoutMs = 10_000 } = this.#options;
    using limited = withDeadline(signal, {
      clock,
      timeoutMs: requestedTimeoutMs(path) ?? timeoutMs,
      reason: () => new WebhookError('WEBHOOK_TIMED_OUT', `"${pathname(path)}" did not answer`),
    });
    return await abortable(endpoint.answer(review, limited.signal), limited.signal);
  }

  #addAdmission(path: string, handler: AdmissionHandler): void {
    this.#addEndpoint(path, {
      maxBytes: this.#options.maxAdmissionBytes ?? 7 * 2 ** 20,
      answer: async (review, signal) =>
        admissionReviewOf(await handler(admissionRequestOf(review), signal)),
    });
  }

  #addEndpoint(path: string, endpoint: Endpoint): void {
    if (!path.startsWith('/') || /[?#]/.test(path)) {
      throw new OptionError('path', `"${path}" is not a path that begins with a slash`);
    }
    if (this.#endpoints.has(path)) {
      throw new WebhookError('WEBHOOK_DUPLICATE', `"${path}" is already served`);
    }
    this.#endpoints.set(path, endpoint);
    this.#options.metrics?.served?.(path);
  }
}

/** Returns the error for a body that exceeds the limit. */
export function tooLarge(maxBytes: number): WebhookError {
  return new WebhookError('WEBHOOK_BODY_TOO_LARGE', `the body is larger than ${maxBytes} bytes`);
}

function pathname(path: string): string {
  const end = path.indexOf('?');
  return end === -1 ? path : path.slice(0, end);
}

function parseReview(body: Uint8Array): JsonValue {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as JsonValue;
  } catch (cause) {
    throw new WebhookError('WEBHOOK_REVIEW_INVALID', 'the body is not JSON', { cause });
  }
}

/** Returns the time that the server waits, which it sends as `?timeout=10s`. */
function requestedTimeoutMs(path: string): number | undefined {
  const found = /[&?]timeout=(\d+(?:\.\d+)?)(ms|s|m)(?:&|$)/.exec(path);
  if (found === null) return undefined;
  const units = new Map([
    ['ms', 1],
    ['s', 1000],
    ['m', 60_000],
  ]);
  return Number(found[1]) * (units.get(found[2] ?? '') ?? 1000);
}

function asWebhookError(cause: unknown, path: string): WebhookError {
  if (cause instanceof WebhookError) return cause;
  const message = `"${path}" failed: ${messageOf(cause)}`;
  return new WebhookError('WEBHOOK_HANDLER_FAILED', message, { cause });
}

/** What plain JavaScript passes may be anything. */
function checkWebhook(resource: unknown, options: unknown, callback: string): void {
  const { resource: plural, kind } = Object(resource) as Partial<ResourceDescriptor>;
  if (typeof plural !== 'string' || typeof kind !== 'string') {
    throw new OptionError('resource', 'must be the descriptor of a resource');
  }
  if (typeof Reflect.get(Object(options), callback) !== 'function') {
    throw new OptionError(callback, 'must be a function');
  }
  const path: unknown = Reflect.get(Object(options), 'path');
  if (path === undefined || (typeof path === 'string' && path.startsWith('/'))) return;
  throw new OptionError('path', 'must be a string that begins with /');
}
