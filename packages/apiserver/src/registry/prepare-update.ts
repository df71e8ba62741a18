import { getKey, jsonEqual, setKey } from 'client-ts/internal';

import { copyFields } from './kinds/support.ts';
import type { ApiObject } from './object.ts';
import type { Strategy, StrategyContext } from './strategy.ts';

/** The endpoint of an update: `main`, `status` or another subresource. */
export interface UpdateScope {
  readonly part: string;
  readonly strategy: Strategy;
  /** Whether the main endpoint keeps the stored status. */
  readonly keepsStatusApart: boolean;
  readonly context: StrategyContext;
}

/**
 * Restores what this update cannot change: system fields, and the parts that its endpoint does not
 * write. Then increments the generation if the change counts.
 */
export function prepareUpdate(object: ApiObject, old: ApiObject, scope: UpdateScope): void {
  keepSystemFields(object, old);
  keepOtherParts(object, old, scope);
  if (scope.part !== 'status') incrementGeneration(object, old, scope.strategy);
}

/** Returns true if the server maintains the generation of this kind. */
export function countsGenerations({ generation = 'none' }: Strategy): boolean {
  return generation !== 'none';
}

function keepSystemFields({ metadata }: ApiObject, old: ApiObject): void {
  metadata.uid ??= old.metadata.uid ?? '';
  metadata.resourceVersion = old.metadata.resourceVersion ?? '';
  delete metadata.selfLink;
  copyFields(metadata, old.metadata, 'creationTimestamp', 'generation');
  // Validation rejects changed values; omitted ones are restored.
  for (const field of ['deletionTimestamp', 'deletionGracePeriodSeconds'] as const) {
    if (metadata[field] === undefined) copyFields(metadata, old.metadata, field);
  }
}

function keepOtherParts(
  object: ApiObject,
  old: ApiObject,
  { part, strategy, keepsStatusApart, context }: UpdateScope,
): void {
  const subresource = getKey(strategy.subresources ?? {}, part);
  if (subresource !== undefined) {
    subresource.prepare(object, old, context);
  } else if (part === 'status') {
    if (strategy.prepareForStatusUpdate === undefined) keepAllButStatus(object, old);
    else strategy.prepareForStatusUpdate(object, old, context);
  } else {
    if (keepsStatusApart) copyFields(object, old, 'status');
    strategy.admit?.(object, old, context);
    strategy.prepareForUpdate?.(object, old, context);
  }
}

function incrementGeneration(object: ApiObject, old: ApiObject, strategy: Strategy): void {
  if (!countsGenerations(strategy)) return;
  const { generation } = strategy;
  const moves =
    typeof generation === 'function'
      ? generation(object, old)
      : !jsonEqual(object['spec'], old['spec']);
  if (moves) object.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

/** Prepares the generic `/status` update: only the status comes from the request. */
function keepAllButStatus(object: ApiObject, old: ApiObject): void {
  const { status } = object;
  const { managedFields } = object.metadata;
  for (const field of Object.keys(object)) delete object[field];
  for (const [field, value] of Object.entries(old)) setKey(object, field, value);
  object.metadata = { ...old.metadata };
  if (managedFields !== undefined) object.metadata.managedFields = managedFields;
  if (status === undefined) delete object['status'];
  else object['status'] = status;
}
