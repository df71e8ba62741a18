import type { ValidatingAdmissionPolicy } from 'client-ts/api/admissionregistration/v1';
import { cloneJson, type JsonObject } from 'client-ts/internal';
import { formatTime } from 'client-ts/meta';
import { typeCheck } from '../admission/type-checking.ts';
import { applyManaged } from '../fieldmanager/manager.ts';
import { resetFieldsOf } from '../fieldmanager/reset-fields.ts';
import { type Cluster, withClusterContext } from '../registry/cluster.ts';
import type { ApiObject } from '../registry/object.ts';
import type { Registry } from '../registry/registry.ts';
import type { Schema } from '../schema/schema.ts';
import type { StoredObject } from '../store/store.ts';
import { DirtySet } from './dirty-set.ts';

const KIND = { group: 'admissionregistration.k8s.io', version: 'v1' };
const API_VERSION = 'admissionregistration.k8s.io/v1';
const RESOURCE = 'validatingadmissionpolicies';

/**
 * Checks the types of ValidatingAdmissionPolicies once for each generation, and notes the result in
 * their status, as the controller manager of a cluster does.
 */
export class PolicyStatusController implements Disposable {
  readonly #cluster: Cluster;
  readonly #policies: Registry;
  readonly #schema: Schema;
  readonly #dirty: DirtySet;
  readonly #subscription: Disposable;

  constructor(cluster: Cluster, onError: (error: unknown) => void) {
    this.#cluster = cluster;
    const { catalog } = cluster;
    this.#policies = catalog.registry(KIND.group, RESOURCE) as Registry;
    const kind = { ...KIND, kind: 'ValidatingAdmissionPolicy' };
    this.#schema = catalog.model.schemaFor(kind) as Schema;
    const process = (name: string): void => this.#process(name);
    this.#dirty = new DirtySet({ clock: cluster.clock, process, onError });
    const prefix = this.#policies.prefix();
    this.#subscription = cluster.store.subscribe(prefix, ({ entry }) => this.#follow(entry?.value));
    for (const { value } of cluster.store.range({ prefix })) this.#follow(value);
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
    this.#dirty[Symbol.dispose]();
  }

  #follow(policy: StoredObject | undefined): void {
    if (policy !== undefined) this.#dirty.add(policy.metadata?.name ?? '');
  }

  #process(name: string): void {
    const found = this.#policies.find('', name)?.value;
    if (found === undefined) return;
    const policy = found as ValidatingAdmissionPolicy;
    const { generation = 0 } = policy.metadata ?? {};
    if (generation <= (policy.status?.observedGeneration ?? 0)) return;
    const { catalog, clock } = this.#cluster;
    // Messages name types by the kind and a number, for which any will do.
    const unique = Math.trunc((clock.now() % 1000) * 1_000_000);
    const expressionWarnings = typeCheck(policy, catalog, unique);
    this.#apply(name, {
      observedGeneration: generation,
      typeChecking: expressionWarnings.length === 0 ? {} : { expressionWarnings },
    });
  }

  #apply(name: string, status: object): void {
    const resetFields = resetFieldsOf({
      group: KIND.group,
      resource: RESOURCE,
      subresource: 'status',
      hasStatus: true,
      custom: false,
    });
    const kind = 'ValidatingAdmissionPolicy';
    const config = { apiVersion: API_VERSION, kind, metadata: { name }, status };
    withClusterContext(this.#cluster, {}, (context) =>
      this.#policies.update(
        '',
        name,
        context,
        (live) =>
          applyManaged({
            live,
            config: cloneJson(config) as JsonObject,
            kind,
            force: true,
            schema: this.#schema,
            manager: 'validatingadmissionpolicy-status',
            apiVersion: API_VERSION,
            subresource: 'status',
            ...(resetFields && { resetFields }),
            now: formatTime(this.#cluster.clock.now()),
          }).object as ApiObject,
        { part: 'status' },
      ),
    );
  }
}
