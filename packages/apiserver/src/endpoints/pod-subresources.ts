import type { Binding, Pod } from 'client-ts/api/core/v1';
import type { Eviction, PodDisruptionBudget } from 'client-ts/api/policy/v1';
import { type DeleteOptions, newBadRequest, type Status } from 'client-ts/meta';
import type { ApiResponse } from '../http.ts';
import { bindPod, checkBinding } from '../registry/kinds/core/pod/binding.ts';
import { checkEviction, planEviction } from '../registry/kinds/core/pod/eviction.ts';
import type { ApiObject } from '../registry/object.ts';
import { checkDeletion } from '../registry/preconditions.ts';
import type { Registry } from '../registry/registry.ts';
import type { Schema } from '../schema/schema.ts';
import type { StoredObject } from '../store/store.ts';
import { admitObject } from './admission.ts';
import { readObject } from './body.ts';
import { checkDeleteOptions } from './delete.ts';
import { type Core, type ResourceExchange, respond, withStrategyContext } from './exchange.ts';
import { negotiateFor } from './respond.ts';
import { parseWriteOptions } from './write-options.ts';

const SUCCESS: Status = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  code: 201,
};

/** `POST pods/x/binding` and `POST bindings`: assigns a pod to a node. */
export async function bind(exchange: ResourceExchange): Promise<ApiResponse> {
  const { info, core } = exchange;
  const representation = negotiateFor(exchange, []);
  const options = parseWriteOptions('CreateOptions', info.query);
  const type = { group: '', version: 'v1', kind: 'Binding' };
  const body = bodyType(core, type);
  const object = await readObject(exchange, body, options.fieldValidation);
  const name = info.resource === 'bindings' ? (object.metadata.name ?? '') : info.name;
  const request = { dryRun: options.dryRun, type: body, name };
  const binding = (await admitObject(exchange, request, object)) as unknown as Binding;
  checkBinding(binding, name);
  if (name === '') throw newBadRequest('Name parameter required.');
  const pods = podsOf(exchange);
  withStrategyContext(exchange, options.dryRun, (context) =>
    pods.overwrite(info.namespace, name, context, (pod) => {
      const target = context.lookup('', 'nodes', '', binding.target.name ?? '');
      const bound = bindPod(pod, binding, { clock: core.clock, node: target });
      return bound as ApiObject;
    }),
  );
  return respond(exchange, 201, SUCCESS, representation);
}

/** `POST pods/x/eviction`: deletes a pod if its disruption budgets allow it. */
export async function evict(exchange: ResourceExchange): Promise<ApiResponse> {
  const { info, core } = exchange;
  const representation = negotiateFor(exchange, []);
  const { dryRun: isDryRun, fieldValidation } = parseWriteOptions('CreateOptions', info.query);
  const type = { group: 'policy', version: 'v1', kind: 'Eviction' };
  const body = bodyType(core, type, ['v1beta1']);
  const object = await readObject(exchange, body, fieldValidation);
  const request = { dryRun: isDryRun, type: body };
  const eviction = (await admitObject(exchange, request, object)) as unknown as Eviction;
  checkEviction(eviction, info.name);
  const wanted: DeleteOptions = eviction.deleteOptions ?? {};
  checkDeleteOptions(wanted);
  const dryRun = isDryRun || (wanted.dryRun ?? []).length > 0;
  const pods = podsOf(exchange);
  withStrategyContext(exchange, dryRun, (context) => {
    const pod = pods.get(info.namespace, info.name).value as Pod;
    const budgets = context.list('policy', 'poddisruptionbudgets', info.namespace);
    const plan = planEviction(pod, eviction, {
      clock: core.clock,
      budgets: budgets as Iterable<PodDisruptionBudget>,
      dryRun,
    });
    const { budget } = plan;
    if (budget !== undefined) {
      core.catalog
        .registry('policy', 'poddisruptionbudgets')
        ?.overwrite(
          info.namespace,
          budget.metadata?.name ?? '',
          context,
          () => budget as ApiObject,
        );
    }
    const { deleteOptions } = plan;
    checkDeletion(pods, pod, deleteOptions);
    const noted = pods.overwrite(info.namespace, info.name, context, () => plan.pod as ApiObject);
    pods.delete(info.namespace, info.name, forVersion(deleteOptions, noted), context);
  });
  return respond(exchange, 201, SUCCESS, representation);
}

/** Recording the eviction made a new version of the pod, which the deletion must use. */
function forVersion(options: DeleteOptions, { metadata }: StoredObject): DeleteOptions {
  const { preconditions } = options;
  if (preconditions?.resourceVersion === undefined) return options;
  const { resourceVersion = '' } = metadata ?? {};
  return { ...options, preconditions: { ...preconditions, resourceVersion } };
}

/** Returns the registry of pods. */
export function podsOf({ core }: ResourceExchange): Registry {
  return core.catalog.registry('', 'pods') as Registry;
}

function bodyType(
  { catalog }: Core,
  kind: { readonly group: string; readonly version: string; readonly kind: string },
  alsoVersions: readonly string[] = [],
): Parameters<typeof readObject>[1] {
  return {
    ...kind,
    schema: catalog.model.schemaFor(kind) as Schema,
    alsoVersions,
  };
}
