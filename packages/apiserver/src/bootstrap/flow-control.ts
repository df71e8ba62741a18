import type { FlowSchema, PriorityLevelConfiguration } from 'client-ts/api/flowcontrol/v1';
import { cloneJson, quoteGo } from 'client-ts/internal';
import { type DeepReadonly, formatTime } from 'client-ts/meta';

import { DirtySet } from '../controllers/dirty-set.ts';
import { OwnWrites } from '../controllers/own-writes.ts';
import type { Cluster } from '../registry/cluster.ts';
import type { ApiObject } from '../registry/object.ts';
import { bootstrapData } from './data.ts';

const GROUP = 'flowcontrol.apiserver.k8s.io';
const API_VERSION = `${GROUP}/v1`;
const SCHEMAS = `/${GROUP}/flowschemas/`;
const LEVELS = `/${GROUP}/prioritylevelconfigurations/`;
const AUTO_UPDATE = 'apf.kubernetes.io/autoupdate-spec';

/**
 * Keeps the default FlowSchemas and PriorityLevelConfigurations, and says in the status of each
 * FlowSchema whether its priority level exists. Requests are not queued: this server has no limit
 * on concurrency.
 */
export class FlowControlConfig implements Disposable {
  readonly #dirty: DirtySet;
  readonly #subscriptions: readonly Disposable[];

  constructor(cluster: Cluster, onError: (error: unknown) => void) {
    const process = (): void => maintainFlowControl(cluster, 'missing');
    this.#dirty = new DirtySet({ clock: cluster.clock, process, onError });
    this.#subscriptions = [SCHEMAS, LEVELS].map((prefix) =>
      cluster.store.subscribe(prefix, () => this.#dirty.add('all')),
    );
  }

  [Symbol.dispose](): void {
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
    this.#dirty[Symbol.dispose]();
  }
}

/**
 * Creates the default objects that are missing, and restores the spec of those that were changed if
 * `which` is `all`. Then updates the status of all FlowSchemas.
 */
export function maintainFlowControl(cluster: Cluster, which: 'all' | 'missing'): void {
  const writes = new OwnWrites(cluster, 'api-priority-and-fairness-config-producer-v1');
  const { priorityLevels, flowSchemas } = bootstrapData();
  for (const [name, spec] of Object.entries(priorityLevels)) {
    maintain(writes, which, 'PriorityLevelConfiguration', name, spec);
  }
  for (const [name, spec] of Object.entries(flowSchemas)) {
    maintain(writes, which, 'FlowSchema', name, spec);
  }
  const status = new OwnWrites(cluster, 'api-priority-and-fairness-config-consumer-v1');
  for (const { value } of cluster.store.range({ prefix: SCHEMAS })) {
    updateStatus(cluster, status, value as DeepReadonly<FlowSchema>);
  }
}

/** An object whose annotation is `false` keeps its changes. */
function maintain(
  writes: OwnWrites,
  which: 'all' | 'missing',
  kind: string,
  name: string,
  spec: FlowSchema['spec'] | PriorityLevelConfiguration['spec'],
): void {
  const object: ApiObject = {
    kind,
    apiVersion: API_VERSION,
    metadata: { name, annotations: { [AUTO_UPDATE]: 'true' } },
    spec: cloneJson(spec),
  };
  const stored = writes.find(object);
  if (stored === undefined) return writes.create(object);
  if (which === 'missing' || stored.metadata?.annotations?.[AUTO_UPDATE] === 'false') return;
  writes.update(object, (copy) => (copy['spec'] = object['spec']), 'main');
}

function updateStatus(
  { store, clock }: Cluster,
  writes: OwnWrites,
  { metadata, spec, status }: DeepReadonly<FlowSchema>,
): void {
  const level = spec?.priorityLevelConfiguration.name ?? '';
  const exists = store.get(LEVELS + level) !== undefined;
  const wanted = exists ? 'False' : 'True';
  const current = status?.conditions?.find(({ type }) => type === 'Dangling');
  if (current?.status === wanted) return;
  writes.apply(
    {
      kind: 'FlowSchema',
      apiVersion: API_VERSION,
      metadata: { name: metadata?.name ?? '' },
      status: {
        conditions: [
          {
            type: 'Dangling',
            status: wanted,
            lastTransitionTime: formatTime(clock.now()),
            reason: exists ? 'Found' : 'NotFound',
            message: `This FlowSchema references the PriorityLevelConfiguration object named ${quoteGo(level)} ${exists ? 'and it exists' : 'but there is no such object'}`,
          },
        ],
      },
    },
    'status',
  );
}
