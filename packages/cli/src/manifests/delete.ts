import { DynamicClient } from 'client-ts/dynamic';
import { deleteObjects } from 'client-ts/manifests';
import { isNotFound, isStatus, newNotFound, type ResourceDescriptor } from 'client-ts/meta';
import { conditions, waitFor } from 'client-ts/wait';

import type { CommandContext } from '../frame/context.ts';
import { printable } from '../frame/printable.ts';
import { UsageError } from '../frame/usage-error.ts';
import { readManifests } from '../resources/manifests.ts';
import { resolveTargets } from '../resources/resolve.ts';
import { openSession, type Session } from '../resources/session.ts';
import type { Target } from '../resources/targets.ts';
import { type ManifestOptions, reportingEach } from './apply.ts';

/** Options of `client-ts delete`. */
export interface DeleteOptions extends ManifestOptions {
  readonly targets: readonly Target[];
  readonly labelSelector: string | undefined;
  readonly all: boolean;
  readonly dryRun: boolean;
  readonly ignoreNotFound: boolean;
  readonly gracePeriodSeconds: number | undefined;
  readonly propagationPolicy: 'Background' | 'Foreground' | 'Orphan';
  readonly wait: boolean;
  readonly timeoutMs: number | undefined;
}

/** Deletes the objects of files, or those that are named or selected, and prints each. */
export async function deleteAll(options: DeleteOptions, context: CommandContext): Promise<void> {
  if (options.files.length > 0) return await deleteFiles(options, context);
  await using session = await openSession(options.connection, context, options);
  const failures: unknown[] = [];
  for (const { resource, names } of await resolveTargets(
    session,
    options.targets,
    context.signal,
  )) {
    for (const name of names ?? (await selected(session, resource, options, context))) {
      try {
        await deleteOne(session, resource, name, options, context);
      } catch (error) {
        context.signal.throwIfAborted();
        if (!options.ignoreNotFound || !isNotFound(error)) failures.push(error);
      }
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
  const results = await reportingEach(() =>
    deleteObjects(session, objects, {
      ...request,
      onResult: ({ outcome, object }) => {
        const { kind, metadata } = object;
        if (outcome === 'deleted') print(kind.toLowerCase(), metadata.name, options, context);
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

async function selected(
  session: Session,
  resource: ResourceDescriptor,
  { labelSelector, all }: DeleteOptions,
  { signal }: CommandContext,
): Promise<string[]> {
  if (labelSelector === undefined && !all) {
    throw new UsageError(`name the ${resource.resource} to delete, or use -l or --all`);
  }
  const { items } = await placed(session, resource).listAll({ labelSelector, signal }).toList();
  return items.map(({ metadata }) => metadata.name);
}

function placed(session: Session, resource: ResourceDescriptor) {
  const client = new DynamicClient(session.rest).resource(resource);
  return resource.scope === 'Namespaced' ? client.namespace(session.namespace) : client;
}

async function deleteOne(
  session: Session,
  resource: ResourceDescriptor,
  name: string,
  options: DeleteOptions,
  context: CommandContext,
): Promise<void> {
  const { dryRun, gracePeriodSeconds, propagationPolicy, wait, timeoutMs } = options;
  const { signal } = context;
  const client = placed(session, resource);
  const answer = await client.delete(name, {
    dryRun,
    gracePeriodSeconds,
    propagationPolicy,
    signal,
  });
  const type = resource.group === '' ? resource.singular : `${resource.singular}.${resource.group}`;
  print(type, name, options, context);
  if (!wait || dryRun) return;
  const uid = isStatus(answer) ? answer.details?.uid : answer.metadata.uid;
  await waitFor(client, name, conditions.deleted(uid), { timeoutMs, signal });
}

function print(
  type: string,
  name: string,
  { dryRun }: DeleteOptions,
  context: CommandContext,
): void {
  context.out(printable(`${type} "${name}" deleted${dryRun ? ' (server dry run)' : ''}`));
}
