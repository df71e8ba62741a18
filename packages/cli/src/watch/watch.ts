import { anySignal, systemRandom } from 'client-ts/internal';

import type { CommandContext } from '../frame/context.ts';
import { withProgress } from '../frame/progress.ts';
import { reportRetry } from '../frame/report.ts';
import { checkWanted, type Wanted } from '../get/get.ts';
import { prefixOf, type TablesOptions } from '../get/tables.ts';
import type { OutputFormat } from '../print/output-format.ts';
import type { Shape } from '../resources/fetch.ts';
import { resolveTargets, type Selection } from '../resources/resolve.ts';
import { openSession } from '../resources/session.ts';
import { changePrinter } from './change-printer.ts';
import { Follower } from './follow.ts';

/** Options of `client-ts watch`. */
export interface WatchOptions extends Wanted, TablesOptions {
  readonly format: OutputFormat;
  readonly showManagedFields: boolean;
  /** Print the type of each change. */
  readonly showEvents: boolean;
  /** Start with the existing objects. */
  readonly initial: boolean;
}

/** Prints changes until the signal of the context aborts. */
export async function watch(options: WatchOptions, context: CommandContext): Promise<void> {
  checkWanted(options);
  await using session = await openSession(options.connection, context, options);
  const selections = await withProgress(
    context,
    `Asking ${session.config.server} what it serves`,
    resolveTargets(session, options.targets, context.signal),
  );
  const { format, initial } = options;
  const shape: Shape =
    format.type === 'table' ? { as: 'table', withObjects: false } : { as: 'objects' };
  const isMixed = options.showKind === true || selections.length > 1;
  const print = changePrinter(options, context);
  // One failed watch ends all: partial output would be misleading.
  const stop = new AbortController();
  using either = anySignal([context.signal, stop.signal]);
  const { signal } = either;
  const follow = async (selection: Selection, name?: string): Promise<void> => {
    const { resource } = selection;
    const follower = new Follower(session, {
      ...options,
      ...(name !== undefined && { fieldSelector: `metadata.name=${name}` }),
      resource,
      namespace: options.allNamespaces ? '' : session.namespace,
      shape,
      clock: context.clock,
      random: systemRandom,
      signal,
      onError: (error) => reportRetry(error, context),
    });
    for await (const changes of follower.changes()) {
      const shown = changes.filter(({ isInitial }) => initial || !isInitial);
      if (shown.length === 0) continue;
      print(shown, {
        columns: follower.columns,
        prefix: isMixed ? prefixOf(resource) : undefined,
        withNamespace: options.allNamespaces && resource.scope === 'Namespaced',
      });
      await context.stdout.drained();
    }
  };
  const following = selections.flatMap((selection) =>
    selection.names === undefined
      ? [follow(selection)]
      : selection.names.map((name) => follow(selection, name)),
  );
  try {
    await Promise.all(following);
  } finally {
    stop.abort();
    await Promise.allSettled(following);
  }
}
