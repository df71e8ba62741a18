import { abortable, Deferred, sleep } from 'client-ts/lib';
import { formatTime } from 'client-ts/meta';

import { configFor } from '../frame/connect.ts';
import type { ConnectionValues } from '../frame/connection-flags.ts';
import type { CommandContext } from '../frame/context.ts';
import { withProgress } from '../frame/progress.ts';
import { sentence } from '../frame/report.ts';
import { stylesFor } from '../frame/styles.ts';
import { type BarsOptions, type NodeCount, renderBars, sortCounts } from './bars.ts';
import { Monitor } from './monitor.ts';

/** What `client-ts pods-per-node` was asked for. */
export interface PodsPerNodeOptions {
  readonly connection: ConnectionValues;
  /** Undefined: all namespaces. */
  readonly namespace: string | undefined;
  readonly labelSelector: string | undefined;
  readonly sortBy: BarsOptions['sortBy'];
  readonly output: 'json' | undefined;
  /** False: once. */
  readonly watch: boolean;
  readonly intervalMs: number;
  /** Print only when something has changed, and not more often than the interval. */
  readonly onChange: boolean;
}

/** Prints how many pods each node has, until the signal of the context aborts. */
export async function podsPerNode(
  options: PodsPerNodeOptions,
  context: CommandContext,
): Promise<void> {
  const { signal, clock } = context;
  const config = await configFor(options.connection, context);
  const { yellow } = stylesFor(context.stderr);
  await using monitor = new Monitor(config, {
    namespace: options.namespace ?? '',
    labelSelector: options.labelSelector,
    clock,
    onTrouble: (error) => context.err(`${yellow('Lost the connection:')} ${sentence(error)}`),
  });
  await withProgress(context, `Reading the pods of ${config.server}`, monitor.start(signal));
  const print = printer(options, context);
  if (!options.watch) {
    print(monitor.counts());
    return;
  }
  let changed = new Deferred();
  if (options.onChange) monitor.onChange(() => changed.resolve());
  for (;;) {
    print(monitor.counts());
    await context.stdout.drained();
    await sleep(clock, options.intervalMs, signal);
    if (options.onChange) {
      await abortable(changed.promise, signal);
      changed = new Deferred();
    }
  }
}

function printer(
  { output, sortBy }: PodsPerNodeOptions,
  context: CommandContext,
): (counts: readonly NodeCount[]) => void {
  const { stdout, clock } = context;
  if (output === 'json') {
    return (counts) => {
      const time = formatTime(clock.now());
      const nodes = sortCounts(counts, sortBy).map(({ node, pods }) => ({
        node: node === '' ? null : node,
        pods,
      }));
      context.out(JSON.stringify({ time, nodes }));
    };
  }
  const { cyan, bold } = stylesFor(stdout);
  let drawn = 0;
  return (counts) => {
    const { columns, rows } = stdout;
    const [heading = '', ...lines] = renderBars(counts, {
      sortBy,
      columns,
      style: cyan,
      ...(stdout.isTTY && { rows }),
    });
    const block = [bold(heading), ...lines].map((line) => `${line}\n`).join('');
    if (stdout.isTTY) {
      // Over what was drawn before.
      stdout.write(`${drawn === 0 ? '' : `\u001B[${drawn}A\r\u001B[J`}${block}`);
    } else {
      stdout.write(drawn === 0 ? block : `\n${block}`);
    }
    drawn = lines.length + 1;
  };
}
