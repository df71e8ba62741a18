import { Clientset } from 'client-ts/kubernetes';
import {
  OperationsError,
  pauseRollout,
  restartRollout,
  resumeRollout,
  type Revision,
  rolloutHistory,
  rolloutStatus,
  undoRollout,
} from 'client-ts/operations';

import { podTemplate } from '../describe/pods.ts';
import { flat } from '../describe/lines.ts';
import { withoutNulls } from '../describe/values.ts';
import type { ConnectionValues } from '../frame/connection-flags.ts';
import type { CommandContext } from '../frame/context.ts';
import { printable, printableLines } from '../frame/printable.ts';
import type { SelectOptions } from '../resources/select.ts';
import { openSession } from '../resources/session.ts';
import { type NamedWorkload, workloadsOf } from './workload.ts';

/** The words after `client-ts rollout`. */
export type RolloutAction = 'history' | 'pause' | 'restart' | 'resume' | 'status' | 'undo';

/** Options of `client-ts rollout`. */
export interface RolloutOptions extends SelectOptions {
  readonly connection: ConnectionValues;
  readonly namespace: string | undefined;
  readonly action: RolloutAction;
  readonly watch: boolean;
  /** Milliseconds; 0 for none. */
  readonly timeoutMs: number;
  /** 0: the one before. */
  readonly toRevision: number;
  /** history: print the template of this revision; 0: list all. */
  readonly revision: number;
  readonly dryRun: boolean;
}

/** Follows or changes rollouts, as kubectl does. */
export async function rollout(options: RolloutOptions, context: CommandContext): Promise<void> {
  await using session = await openSession(options.connection, context, options);
  const client = new Clientset(session.rest);
  const workloads = await workloadsOf(session, options, context);
  if (workloads.length === 0) {
    context.err(`No resources found in ${session.namespace} namespace.`);
  }
  for (const workload of workloads) await act(client, workload, options, context);
}

async function act(
  client: Clientset,
  workload: NamedWorkload,
  options: RolloutOptions,
  context: CommandContext,
): Promise<void> {
  const { signal } = context;
  const { dryRun } = options;
  const suffix = dryRun ? ' (server dry run)' : '';
  const done = (what: string): void => context.out(printable(`${workload.title} ${what}${suffix}`));
  switch (options.action) {
    case 'status':
      return await follow(client, workload, options, context);
    case 'restart':
      await restartRollout(client, workload, { dryRun, signal });
      return done('restarted');
    case 'pause':
      await pauseRollout(client, workload, { dryRun, signal });
      return done('paused');
    case 'resume':
      await resumeRollout(client, workload, { dryRun, signal });
      return done('resumed');
    case 'undo': {
      const toRevision = options.toRevision === 0 ? undefined : options.toRevision;
      await undoRollout(client, workload, { toRevision, dryRun, signal });
      return done('rolled back');
    }
    case 'history':
      printHistory(workload, await rolloutHistory(client, workload, { signal }), options, context);
  }
}

/** The width of kubectl's column of revisions. */
const WIDTH = 10;

function printHistory(
  { title }: NamedWorkload,
  revisions: readonly Revision[],
  { revision: wanted }: RolloutOptions,
  context: CommandContext,
): void {
  if (wanted !== 0) return printRevision(title, revisions, wanted, context);
  context.out(`${printable(title)} `);
  if (revisions.length === 0) return context.out('No rollout history found.');
  context.out(`${'REVISION'.padEnd(WIDTH)}CHANGE-CAUSE`);
  for (const { revision, changeCause } of revisions) {
    const cause = changeCause === '' ? '<none>' : printable(changeCause);
    context.out(`${String(revision).padEnd(WIDTH)}${cause}`);
  }
  context.out('');
}

/** Prints the template of a revision. */
function printRevision(
  title: string,
  revisions: readonly Revision[],
  wanted: number,
  context: CommandContext,
): void {
  const found = revisions.find(({ revision }) => revision === wanted);
  if (found?.template === undefined) {
    const why = found === undefined ? 'is not kept' : 'is kept as a patch, without its template';
    const message = `the revision ${wanted} of ${title} ${why}`;
    throw new OperationsError('OPERATIONS_REVISION_NOT_FOUND', message);
  }
  context.out(printable(`${title} with revision #${wanted}`));
  // kubectl does not align these lines.
  const lines = flat(podTemplate(withoutNulls(found.template)));
  for (const line of lines) context.out(printableLines(line));
  context.out('');
}

async function follow(
  client: Clientset,
  workload: NamedWorkload,
  { watch, timeoutMs }: RolloutOptions,
  context: CommandContext,
): Promise<void> {
  const stop = new AbortController();
  const hint = 'Look at its pods and events, or allow more time with --timeout.';
  const message = 'timed out waiting for the condition';
  const expired = new OperationsError('OPERATIONS_TIMEOUT', message, { hint });
  using _timer =
    timeoutMs === 0 ? undefined : context.clock.schedule(timeoutMs, () => stop.abort(expired));
  const signal = AbortSignal.any([context.signal, stop.signal]);
  for await (const { message } of rolloutStatus(client, workload, { signal })) {
    context.out(printable(message));
    if (!watch) return;
  }
}
