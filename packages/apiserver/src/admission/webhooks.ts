import { jsonEqual, type JsonObject, quoteGo, type Random } from 'client-ts/internal';
import { newBadRequest, newInternalError } from 'client-ts/meta';
import { applyJsonPatch, JsonPatchError } from '../patch/json-patch.ts';
import type { AccessPolicy } from '../auth/authorize.ts';
import type { Cluster } from '../registry/cluster.ts';
import { WebhookCallError } from '../webhook/failures.ts';
import type { WebhookClient } from '../webhook/webhook-client.ts';
import type { AdmissionAttributes, AdmissionForm } from './attributes.ts';
import { type Hook, type HookResource, hooksOf } from './hooks.ts';
import { type Invocation, matchesSelectors, matchRules, type SelectedObjects } from './matching.ts';
import { isConditionMet, variablesOf, viewIn } from './evaluation.ts';
import { MutatingPolicies } from './mutating-policies.ts';
import { type MutatedObjects, mutate, type MutationStage } from './mutation.ts';
import { ValidatingPolicies } from './policies.ts';
import { Reinvocation } from './reinvocation.ts';
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
  readonly #mutatingPolicies: MutatingPolicies;

  constructor({ cluster, client, random, policy }: AdmissionWebhooksOptions) {
    this.#cluster = cluster;
    this.#client = client;
    this.#random = random;
    this.#policy = policy;
    this.#policies = new ValidatingPolicies(cluster, policy);
    this.#mutatingPolicies = new MutatingPolicies(cluster, policy);
  }

  /** Returns true if there is no webhook of this sort at all, and no policy that does the same. */
  isIdle(resource: HookResource): boolean {
    const policies =
      resource === 'validatingwebhookconfigurations' ? this.#policies : this.#mutatingPolicies;
    return policies.isIdle && hooksOf(this.#cluster, resource).length === 0;
  }

  /**
   * Lets mutating policies and then webhooks change the object, one after the other. Resolves to
   * the changed object in the version of the request. Returns undefined if none is interested.
   * Rejects with the response of a request that is denied.
   */
  mutate(request: AdmissionAttributes): Promise<JsonObject | undefined> | undefined {
    const hooks = hooksOf(this.#cluster, 'mutatingwebhookconfigurations');
    const invocations = matchRules(hooks, request);
    if (invocations.length === 0 && !this.#mutatingPolicies.concerns(request)) return undefined;
    const webhooks = new WebhookStage(
      invocations,
      async (invocation, objects) =>
        this.#isMet(invocation, request, objects)
          ? this.#ask(invocation, request, objects, true)
          : undefined,
      (hook, objects) => this.#isSelected(hook, request, objects),
    );
    return mutate(request, [this.#mutatingPolicies.stage(), webhooks]);
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

/** The mutating webhooks of one request. */
class WebhookStage implements MutationStage {
  readonly #invocations: readonly Invocation[];
  readonly #ask: Ask;
  readonly #isSelected: (hook: Hook, objects: SelectedObjects) => boolean;
  readonly #reinvocation = new Reinvocation();

  constructor(
    invocations: readonly Invocation[],
    ask: Ask,
    isSelected: (hook: Hook, objects: SelectedObjects) => boolean,
  ) {
    this.#invocations = invocations;
    this.#ask = ask;
    this.#isSelected = isSelected;
  }

  async run(objects: MutatedObjects, isRepeat: boolean): Promise<boolean> {
    const { form } = objects.request;
    const { object: before } = await objects.convertTo(form);
    if (isRepeat) this.#reinvocation.beginRepeat(before);
    let isChanged = false;
    for (const invocation of this.#invocations) {
      const { hook } = invocation;
      if (isRepeat && !this.#reinvocation.isRepeated(hook.id)) continue;
      if (!this.#isSelected(hook, objects.current)) continue;
      if (await this.#invoke(invocation, objects)) isChanged = true;
    }
    const { object } = await objects.convertTo(form);
    this.#reinvocation.end(object);
    return isChanged;
  }

  /** Calls a webhook and applies its patch. Resolves to whether that changed the object. */
  async #invoke(invocation: Invocation, objects: MutatedObjects): Promise<boolean> {
    const { hook, form } = invocation;
    const { request } = objects;
    const verdict = await this.#ask(invocation, await objects.convertTo(form));
    announce(verdict, request);
    obey(hook, verdict);
    const isChanged = verdict !== undefined && apply(hook, verdict, objects, form);
    if (isChanged) this.#reinvocation.changed();
    this.#reinvocation.invoked(hook.id, hook.webhook.reinvocationPolicy);
    return isChanged;
  }
}

/** Applies the patch of a webhook. Returns whether that changed the object. */
function apply(
  { webhook: { name } }: Hook,
  { patch }: Verdict,
  objects: MutatedObjects,
  form: AdmissionForm,
): boolean {
  if (patch.length === 0) return false;
  const { codec } = objects.request;
  const { object } = objects.current;
  if (object === undefined) {
    throw newInternalError(
      `admission webhook ${quoteGo(name)} attempted to modify the object, which is not supported for this operation`,
    );
  }
  let patched: JsonObject;
  try {
    patched = codec.decode(applyJsonPatch(object, patch), form);
  } catch (error) {
    if (error instanceof JsonPatchError) throw newInternalError(error.message);
    throw error;
  }
  const isChanged = !jsonEqual(object, patched);
  codec.setDefaults(patched, form);
  objects.replace(patched);
  return isChanged;
}
