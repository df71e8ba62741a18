import { isNoMatchError } from 'client-ts/discovery';
import { deleteObjects, type Manifest } from 'client-ts/manifests';
import { groupKindName, isNotFound, isStatus, newNotFound, parseApiVersion } from 'client-ts/meta';
import { conditions, waitFor } from 'client-ts/wait';

import type { CommandContext } from '../frame/context.ts';
import { printable } from '../frame/printable.ts';
import { readManifests } from '../resources/manifests.ts';
import { type SelectedObject, selectObjects, type SelectOptions } from '../resources/select.ts';
import { openSession, type Session } from '../resources/session.ts';
import { type ManifestOptions, reportingEach } from './apply.ts';

/** Options of `client-ts delete`. */
export interface DeleteOptions extends Omit<SelectOptions, keyof ManifestOptions>, ManifestOptions {
  readonly dryRun: boolean;
  readonly ignoreNotFound: boolean;
  readonly gracePeriodSeconds: number | undefined;
  readonly propagationPolicy: 'Background' | 'Foreground' | 'Orphan';
  readonly wait: boolean;
  readonly timeoutMs: number | undefined;
  /** Print only names. */
  readonly namesOnly: boolean;
}

/** Deletes the objects of files, or those that are named or selected, and prints each. */
export async function deleteAll(options: DeleteOptions, context: CommandContext): Promise<void> {
  if (options.files.length > 0) return await deleteFiles(options, context);
  await using session = await openSession(options.connection, context, options);
  const objects = await selectObjects(session, options, context);
  if (objects.length === 0) return context.out('No resources found');
  const failures: unknown[] = [];
  for (const object of objects) {
    try {
      await deleteOne(object, options, context);
    } catch (error) {
      context.signal.throwIfAborted();
      if (!options.ignoreNotFound || !isNotFound(error)) failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'some objects were not deleted');
}

async function deleteFiles(options: DeleteOptions, context: CommandContext): Promise<void> {
  const { recursive, dryRun, gracePeriodSeconds, propagationPolicy, wait, timeoutMs } = options;
  const objects = await readManifests(options.files, context, { recursive });
  await using session = await openSession(options.connection, context, options);
  const { signal } = context;
  const request = { dryRun, gracePeriodSeconds, propagationPolicy, wait, timeoutMs, signal };
  const names = await namesOf(session, objects, signal);
  const results = await reportingEach(() =>
    deleteObjects(session, objects, {
      ...request,
      onResult: ({ outcome, object }) => {
        const name = names.get(object);
        if (outcome === 'deleted' && name !== undefined) print(name, options, context);
      },
    }),
  );
  if (options.ignoreNotFound) return;
  const missing = results.filter(({ outcome }) => outcome === 'absent');
  if (missing.length === 0) return;
  const errors = missing.map(({ object: { kind, metadata } }) =>
    newNotFound({ group: '', resource: kind.toLowerCase() }, metadata.name),
  );
  throw new AggregateError(errors, 'some objects do not exist');
}

type Name = Pick<SelectedObject, 'name' | 'namespace' | 'type'>;

/** Before the deletion, because definitions of resources may be deleted, too. */
async function namesOf(
  { mapper, namespace }: Session,
  objects: readonly Manifest[],
  signal: AbortSignal,
): Promise<Map<Manifest, Name>> {
  const names = new Map<Manifest, Name>();
  for (const object of objects) {
    const { apiVersion, kind, metadata } = object;
    const { group } = parseApiVersion(apiVersion);
    const type = groupKindName({ group, kind: kind.toLowerCase() });
    const scope = await mapper.mapping(object, { signal }).then(
      (resource) => resource.scope,
      (error: unknown) => {
        if (!isNoMatchError(error)) throw error;
        return undefined;
      },
    );
    const place = scope === 'Namespaced' ? (metadata.namespace ?? namespace) : '';
    names.set(object, { type, name: metadata.name, namespace: place });
  }
  return names;
}

async function deleteOne(
  object: SelectedObject,
  options: DeleteOptions,
  context: CommandContext,
): Promise<void> {
  const { dryRun, gracePeriodSeconds, propagationPolicy, wait, timeoutMs } = options;
  const { name, client } = object;
  const { signal } = context;
  const request = { dryRun, gracePeriodSeconds, propagationPolicy, signal };
  const answer = await client.delete(name, request);
  print(object, options, context);
  if (!wait || dryRun) return;
  const uid = isStatus(answer) ? answer.details?.uid : answer.metadata.uid;
  await waitFor(client, name, conditions.deleted(uid), { timeoutMs, signal });
}

function print(
  { type, name, namespace }: Name,
  { dryRun, gracePeriodSeconds, namesOnly }: DeleteOptions,
  context: CommandContext,
): void {
  if (namesOnly) return context.out(printable(`${type}/${name}`));
  const how = gracePeriodSeconds === 0 ? 'force deleted' : 'deleted';
  const where = namespace === '' ? '' : ` from ${namespace} namespace`;
  const suffix = dryRun ? ' (server dry run)' : '';
  context.out(printable(`${type} "${name}" ${how}${where}${suffix}`));
}
