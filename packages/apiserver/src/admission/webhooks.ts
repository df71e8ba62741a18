import { cloneJson, jsonEqual, type JsonObject, quoteGo, type Random } from 'client-ts/internal';
import { newBadRequest, newInternalError } from 'client-ts/meta';
import { applyJsonPatch, JsonPatchError } from '../patch/json-patch.ts';
import type { AccessPolicy } from '../auth/authorize.ts';
import type { Cluster } from '../registry/cluster.ts';
import { WebhookCallError } from '../webhook/failures.ts';
import type { WebhookClient } from '../webhook/webhook-client.ts';
import type { AdmissionAttributes, AdmissionForm } from './attributes.ts';
import { type Hook, type HookResource, hooksOf } from './hooks.ts';
import { type Invocation, matchesSelectors, matchRules, type SelectedObjects } from './matching.ts';
import { convert, isConditionMet, variablesOf, viewIn } from './evaluation.ts';
import { ValidatingPolicies } from './policies.ts';
import { createReview, denial, readVerdict, type Verdict } from './review.ts';

/** The dependencies of {@link AdmissionWebhooks}. */
export interface AdmissionWebhooksOptions {
  readonly cluster: Cluster;
  readonly client: WebhookClient;
  readonly random: Random;
  /** Answers match conditions that ask for permissions. */
  readonly policy: AccessPolicy;
}

const USER_AGENT = 'kube-apiserver-admission';
const DEFAULT_TIMEOUT_SECONDS = 10;

/** Asks the admission policies and webhooks that match a request. */
export class AdmissionWebhooks {
  readonly #cluster: Cluster;
  readonly #client: WebhookClient;
  readonly #random: Random;
  readonly #policy: AccessPolicy;
  readonly #policies: ValidatingPolicies;

  constructor({ cluster, client, random, policy }: AdmissionWebhooksOptions) {
    this.#cluster = cluster;
    this.#client = client;
    this.#random = random;
    this.#policy = policy;
    this.#policies = new ValidatingPolicies(cluster, policy);
  }

  /** Returns true if there is no webhook of this sort at all, and no policy that does the same. */
  isIdle(resource: HookResource): boolean {
    const isValidating = resource === 'validatingwebhookconfigurations';
    return (
      hooksOf(this.#cluster, resource).length === 0 && (!isValidating || this.#policies.isIdle)
    );
  }

  /**
   * Lets mutating webhooks change the object, one after the other. Resolves to the changed object
   * in the version of the request. Returns undefined if no webhook is interested. Rejects with the
   * response of a request that is denied.
   */
  mutate(request: AdmissionAttributes): Promise<JsonObject | undefined> | undefined {
    const hooks = hooksOf(this.#cluster, 'mutatingwebhookconfigurations');
    const invocations = matchRules(hooks, request);
    if (invocations.length === 0) return undefined;
    return new Mutation(request, async (invocation, objects) =>
      this.#isMet(invocation, request, objects)
        ? this.#ask(invocation, request, objects, true)
        : undefined,
    ).run(invocations, (hook, objects) => this.#isSelected(hook, request, objects));
  }

  /**
   * Evaluates policies, then asks all validating webhooks in parallel. Returns undefined if none is
   * interested. Rejects with the response of a request that is denied.
   */
  validate(request: AdmissionAttributes): Promise<void> | undefined {
    const hooks = hooksOf(this.#cluster, 'validatingwebhookconfigurations');
    const invocations = matchRules(hooks, request);
    const decided = this.#policies.validate(request);
    if (invocations.length === 0) return decided;
    return (decided ?? Promise.resolve()).then(() => this.#validateAll(invocations, request));
  }

  async #validateAll(
    invocations: readonly Invocation[],
    request: AdmissionAttributes,
  ): Promise<void> {
    const relevant = invocations.filter(({ hook }) => this.#isSelected(hook, request, request));
    const forms = new Set(relevant.map(({ form }) => form));
    const views = new Map<AdmissionForm, SelectedObjects>();
    for (const form of forms) views.set(form, await viewIn(form, request));
    const viewFor = ({ form }: Invocation): SelectedObjects => views.get(form) ?? request;
    const called = relevant.filter((one) => this.#isMet(one, request, viewFor(one)));
    const outcomes = await Promise.allSettled(
      called.map((invocation) => this.#ask(invocation, request, viewFor(invocation), false)),
    );
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') announce(outcome.value, request);
    }
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === 'rejected') throw outcome.reason;
      obey((called[index] as Invocation).hook, outcome.value);
    }
  }

  #isSelected(hook: Hook, request: AdmissionAttributes, objects: SelectedObjects): boolean {
    const namespaces = this.#cluster.catalog.registry('', 'namespaces');
    return matchesSelectors(
      hook,
      request,
      objects,
      (name) => namespaces?.find('', name)?.value as JsonObject | undefined,
    );
  }

  #isMet(
    { hook, form }: Invocation,
    request: AdmissionAttributes,
    objects: SelectedObjects,
  ): boolean {
    return isConditionMet(hook.webhook, request, () =>
      variablesOf(request, form, { objects, policy: this.#policy }),
    );
  }

  /** Calls one webhook. Resolves to undefined if it failed and its failures are ignored. */
  async #ask(
    { hook: { webhook }, form }: Invocation,
    request: AdmissionAttributes,
    objects: SelectedObjects,
    mutating: boolean,
  ): Promise<Verdict | undefined> {
    const { name, sideEffects, failurePolicy, timeoutSeconds } = webhook;
    if (request.dryRun && sideEffects !== 'None' && sideEffects !== 'NoneOnDryRun') {
      throw newBadRequest(`admission webhook ${quoteGo(name)} does not support dry run`);
    }
    try {
      const uid = this.#random.uuid();
      const versions = webhook.admissionReviewVersions;
      const review = createReview(uid, versions, request, form, objects);
      const answer = await this.#call(webhook, review.body, timeoutSeconds);
      return readVerdict(review, answer, mutating);
    } catch (error) {
      if (!(error instanceof WebhookCallError)) throw error;
      if (failurePolicy === 'Ignore') return undefined;
      throw newInternalError(`failed calling webhook ${quoteGo(name)}: ${error.message}`);
    }
  }

  async #call(
    { clientConfig: { url, service, caBundle } }: Hook['webhook'],
    body: JsonObject,
    deadlineSeconds: number = DEFAULT_TIMEOUT_SECONDS,
  ): Promise<JsonObject> {
    try {
      return await this.#client.call({
        config: { url, service, caBundle },
        body,
        deadlineSeconds,
        sendsDeadline: true,
        userAgent: USER_AGENT,
      });
    } catch (error) {
      if (!(error instanceof WebhookCallError)) throw error;
      throw new WebhookCallError(`failed to call webhook: ${error.message}`, { cause: error });
    }
  }
}

/** Passes on the warnings of a webhook, also of one that denies the request. */
function announce(verdict: Verdict | undefined, { warn }: AdmissionAttributes): void {
  for (const warning of verdict?.warnings ?? []) warn(warning);
}

/** Throws if a webhook denies the request. */
function obey({ webhook }: Hook, verdict: Verdict | undefined): void {
  if (verdict?.allowed === false) throw denial(webhook.name, verdict.result);
}

type Ask = (invocation: Invocation, objects: SelectedObjects) => Promise<Verdict | undefined>;

/** One request on its way through the mutating webhooks. */
class Mutation {
  readonly #request: AdmissionAttributes;
  readonly #ask: Ask;
  /** The objects in the version of the last webhook. */
  #form: AdmissionForm;
  #objects: SelectedObjects;
  /** Webhooks that were called and want to be called again if a later one changes the object. */
  #reinvocable = new Set<string>();
  readonly #reinvoked = new Set<string>();

  constructor(request: AdmissionAttributes, ask: Ask) {
    this.#request = request;
    this.#ask = ask;
    this.#form = request.form;
    this.#objects = request;
  }

  async run(
    invocations: readonly Invocation[],
    isSelected: (hook: Hook, objects: SelectedObjects) => boolean,
  ): Promise<JsonObject | undefined> {
    const { form } = this.#request;
    this.#admitBuiltIn();
    let isChanged = false;
    for (const invocation of invocations) {
      if (!isSelected(invocation.hook, this.#objects)) continue;
      if (await this.#invoke(invocation)) isChanged = true;
    }
    await this.#convertTo(form);
    if (!isChanged) return this.#objects.object;
    // Built-in admission and webhooks that asked for it see what the webhooks have made.
    if (this.#admitBuiltIn()) this.#requireReinvocation();
    for (const invocation of invocations) {
      if (!isSelected(invocation.hook, this.#objects)) continue;
      if (this.#reinvoked.has(invocation.hook.id)) await this.#invoke(invocation);
    }
    await this.#convertTo(form);
    return this.#objects.object;
  }

  /** Returns true if built-in admission changed the object. */
  #admitBuiltIn(): boolean {
    const { object } = this.#objects;
    if (object === undefined) return false;
    const admitted = cloneJson(object);
    this.#request.codec.admitBuiltIn(admitted);
    this.#objects = { ...this.#objects, object: admitted };
    return !jsonEqual(admitted, object);
  }

  /** Calls a webhook and applies its patch. Resolves to whether that changed the object. */
  async #invoke(invocation: Invocation): Promise<boolean> {
    const { hook, form } = invocation;
    await this.#convertTo(form);
    const verdict = await this.#ask(invocation, this.#objects);
    announce(verdict, this.#request);
    obey(hook, verdict);
    const isChanged = verdict !== undefined && this.#apply(hook, verdict);
    if (isChanged) this.#requireReinvocation();
    if (hook.webhook.reinvocationPolicy === 'IfNeeded') this.#reinvocable.add(hook.id);
    return isChanged;
  }

  #apply({ webhook: { name } }: Hook, { patch }: Verdict): boolean {
    if (patch.length === 0) return false;
    const { codec } = this.#request;
    const { object } = this.#objects;
    if (object === undefined) {
      throw newInternalError(
        `admission webhook ${quoteGo(name)} attempted to modify the object, which is not supported for this operation`,
      );
    }
    let patched: JsonObject;
    try {
      patched = codec.decode(applyJsonPatch(object, patch), this.#form);
    } catch (error) {
      if (error instanceof JsonPatchError) throw newInternalError(error.message);
      throw error;
    }
    const isChanged = !jsonEqual(object, patched);
    codec.setDefaults(patched, this.#form);
    this.#objects = { ...this.#objects, object: patched };
    return isChanged;
  }

  #requireReinvocation(): void {
    for (const id of this.#reinvocable) this.#reinvoked.add(id);
    this.#reinvocable = new Set();
  }

  async #convertTo(form: AdmissionForm): Promise<void> {
    if (form === this.#form) return;
    const { object } = this.#objects;
    const { oldObject } = await viewIn(form, { ...this.#request, object: undefined });
    this.#objects = {
      object: object && (await convert(object, this.#form, form, this.#request)),
      oldObject,
    };
    this.#form = form;
  }
}
