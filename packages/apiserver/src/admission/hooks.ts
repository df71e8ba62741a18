import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingWebhook,
} from 'client-ts/api/admissionregistration/v1';
import { type LabelMatcher, labelSelectorAsSelector } from 'client-ts/meta';
import type { Cluster } from '../registry/cluster.ts';
import type { StoredObject } from '../store/store.ts';

/** One webhook of a stored configuration. */
export interface Hook {
  /** Distinguishes webhooks, also those of one name. */
  readonly id: string;
  readonly webhook: MutatingWebhook & ValidatingWebhook;
  readonly namespaceSelector: LabelMatcher;
  readonly objectSelector: LabelMatcher;
}

/** The resource of a sort of webhooks. */
export type HookResource = 'mutatingwebhookconfigurations' | 'validatingwebhookconfigurations';

const PLUGINS = {
  mutatingwebhookconfigurations: 'MutatingAdmissionWebhook',
  validatingwebhookconfigurations: 'ValidatingAdmissionWebhook',
} as const;

const known = new WeakMap<StoredObject, readonly Hook[]>();

/** Returns all webhooks, by name of their configuration, then in its order. */
export function hooksOf(
  { catalog, store, plugins }: Cluster,
  resource: HookResource,
): readonly Hook[] {
  if (!plugins.has(PLUGINS[resource])) return [];
  const registry = catalog.registry('admissionregistration.k8s.io', resource);
  if (registry === undefined || store.count(registry.prefix()) === 0) return [];
  return store.range({ prefix: registry.prefix() }).flatMap(({ value }) => {
    let hooks = known.get(value);
    if (hooks === undefined) known.set(value, (hooks = readHooks(value)));
    return hooks;
  });
}

function readHooks(configuration: StoredObject): Hook[] {
  // Both kinds have the fields that admission uses.
  const { metadata, webhooks = [] } = configuration as MutatingWebhookConfiguration;
  return webhooks.map((webhook, index) => ({
    id: `${metadata?.name ?? ''}/${index}`,
    webhook,
    namespaceSelector: labelSelectorAsSelector(webhook.namespaceSelector ?? {}),
    objectSelector: labelSelectorAsSelector(webhook.objectSelector ?? {}),
  }));
}
