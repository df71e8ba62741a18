import { abortable, Deferred, sleep } from 'client-ts/internal';
import { formatTime } from 'client-ts/meta';

import { configFor } from '../frame/connect.ts';
import type { ConnectionValues } from '../frame/connection-flags.ts';
import type { CommandContext } from '../frame/context.ts';
import { printableJson } from '../frame/printable.ts';
import { withProgress } from '../frame/progress.ts';
import { reportRetry } from '../frame/report.ts';
import { stylesFor } from '../frame/styles.ts';
import { type BarsOptions, type NodeCount, renderBars, sortCounts } from './bars.ts';
import { Monitor } from './monitor.ts';

/** Options of `client-ts pods-per-node`. */
export interface PodsPerNodeOptions {
  readonly connection: ConnectionValues;
  /** Undefined: all namespaces. */
  readonly namespace: string | undefined;
  readonly labelSelector: string | undefined;
  readonly sortBy: BarsOptions['sortBy'];
  readonly output: 'json' | undefined;
  /** False: print once. */
  readonly watch: boolean;
  readonly intervalMs: number;
  /** Print only changes, at most once per interval. */
  readonly onChange: boolean;
}

/** Prints the number of pods of each node until the signal of the context aborts. */
export async function podsPerNode(
  options: PodsPerNodeOptions,
  context: CommandContext,
): Promise<void> {
  const { signal, clock } = context;
  const config = await configFor(options.connection, context);
  const screen = screenFor(options, context);
  await using monitor = new Monitor(config, {
    namespace: options.namespace ?? '',
    labelSelector: options.labelSelector,
    clock,
    onError: (error) => {
      reportRetry(error, context);
      screen.startOver();
    },
  });
  await withProgress(context, `Reading the pods of ${config.server}`, monitor.start(signal));
  if (!options.watch) {
    screen.show(monitor.counts());
    return;
  }
  let changed = new Deferred();
  if (options.onChange) monitor.onChange(() => changed.resolve());
  let shown: string | undefined;
  for (;;) {
    const counts = monitor.counts();
    // Most updates do not change the counts.
    const state = JSON.stringify(sortCounts(counts, 'name'));
    if (!options.onChange || state !== shown) screen.show(counts);
    shown = state;
    await context.stdout.drained();
    await sleep(clock, options.intervalMs, { signal });
    if (options.onChange) {
      await abortable(changed.promise, signal);
      changed = new Deferred();
    }
  }
}

/** The output of the counts. */
interface Screen {
  show(counts: readonly NodeCount[]): void;
  /** Other output was printed: what was drawn stays. */
  startOver(): void;
}

function screenFor(options: PodsPerNodeOptions, context: CommandContext): Screen {
  if (options.output === 'json') return jsonScreen(options, context);
  const { stdout } = context;
  const { cyan, bold } = stylesFor(stdout);
  let drawn = 0;
  let isFirst = true;
  return {
    show: (counts) => {
      const { columns, rows } = stdout;
      const [heading = '', ...lines] = renderBars(counts, {
        ...options,
        columns,
        style: cyan,
        ...(stdout.isTTY && { rows }),
      });
      const block = [bold(heading), ...lines].map((line) => `${line}\n`).join('');
      const over = drawn === 0 ? '' : `\u001B[${drawn}A\r\u001B[J`;
      stdout.write(stdout.isTTY || isFirst ? `${over}${block}` : `\n${block}`);
      isFirst = false;
      drawn = stdout.isTTY ? lines.length + 1 : 0;
    },
    startOver: () => {
      drawn = 0;
    },
  };
}

function jsonScreen({ sortBy }: PodsPerNodeOptions, context: CommandContext): Screen {
  return {
    show: (counts) => {
      const time = formatTime(context.clock.now());
      const nodes = sortCounts(counts, sortBy).map(({ node, pods }) => ({
        node: node === '' ? null : node,
        pods,
      }));
      context.out(printableJson(JSON.stringify({ time, nodes })));
    },
    startOver: () => undefined,
  };
}
