import type { KubernetesVersion } from '@client-ts/apiserver';
import { join, relative, resolve } from 'node:path';

import { eventSource } from '@client-ts/collector';
import { inspect, type InspectorPage } from '@client-ts/inspector';
import { Simulation, type SimulationOptions } from '@client-ts/simulator';
import { anySignal, withDeadline } from 'client-ts/internal';

import type { CommandContext } from '../frame/context.ts';
import { openBrowser } from '../inspect/open-browser.ts';
import { sentence } from '../frame/report.ts';
import {
  openTarget,
  requireConfirmation,
  type Target,
  type TargetCall,
} from '../simulate/target.ts';
import { ClusterView } from './cluster-view.ts';
import { Collection, removeCollection } from './collection.ts';
import { showLines, type ViewModel, showScreen } from './show.ts';
import type { DemoState } from './state.ts';

/** Options of `client-ts demo`. */
export interface DemoOptions {
  readonly target: TargetCall;
  /** Undefined: all namespaces. */
  readonly namespace: string | undefined;
  /** Undefined: no simulation. */
  readonly simulation:
    | Required<Pick<SimulationOptions, 'deployments' | 'namespace' | 'nodes' | 'rate' | 'seed'>>
    | undefined;
  /** `--yes`: may write to a server that the flags name. */
  readonly isConfirmed: boolean;
  /**
   * The database of collected events. Undefined: a file per server, recreated for an embedded one.
   */
  readonly database: string | undefined;
  /** Keeps the embedded server and its events for the next time. */
  readonly isKept: boolean;
  /** The release of the embedded server. Undefined: the newest. */
  readonly kubernetesVersion: KubernetesVersion | undefined;
  /** Serves the inspector. */
  readonly isInspected: boolean;
  /** Starts a browser with it. */
  readonly open: boolean;
  /** Prints lines, also on a terminal. */
  readonly isPlain: boolean;
  /** Undefined: until Ctrl-C. */
  readonly durationMs: number | undefined;
}

/** The number of distinct errors to print at the end. */
const maxProblems = 5;

/**
 * Shows a cluster until the signal of the context aborts: a simulated one, or read-only the one
 * that the flags name. Stops everything in order, and prints what is left on disk.
 */
export async function demo(options: DemoOptions, context: CommandContext): Promise<void> {
  const { clock } = context;
  // Before the first informer, so that it is seen from its start.
  await using page = options.isInspected ? await openPage(options, context) : undefined;
  const { isKept, kubernetesVersion } = options;
  await using target = await openTarget(options.target, context, { isKept, kubernetesVersion });
  const problems = new Set<string>();
  const onError = (error: unknown): void => {
    if (problems.size < maxProblems) problems.add(sentence(error));
  };
  const failure = new AbortController();
  const onFailure = (error: unknown): void => failure.abort(error);
  using limited = withDeadline(context.signal, {
    clock,
    timeoutMs: options.durationMs,
    background: false,
    reason: () => new DOMException(`ended after ${options.durationMs} ms`, 'TimeoutError'),
  });
  using stop = anySignal([limited.signal, failure.signal]);
  await using collection = await openCollection(options, target, context, onError);
  {
    const simulation = openSimulation(options, target, context, onError);
    await using _collecting = new Task((signal) => collection.run(signal), onFailure);
    const { client } = target;
    await using view = new ClusterView({ client, clock, namespace: options.namespace });
    view.start();
    await using _simulating =
      simulation && new Task((signal) => simulation.run({ signal }), onFailure);
    const model = viewModel({ options, target, view, collection, simulation, page }, context);
    const show = context.stdout.isTTY && !options.isPlain ? showScreen : showLines;
    if (show === showLines) context.out(greeting(options, target, page));
    await show(model, context, stop.signal);
  }
  if (failure.signal.aborted) throw failure.signal.reason;
  for (const problem of problems) context.err(problem);
  for (const line of farewell(collection, context)) context.out(line);
}

async function openPage(options: DemoOptions, context: CommandContext): Promise<InspectorPage> {
  const { env, clock } = context;
  const page = await inspect({ program: 'client-ts demo', env, clock });
  if (options.open && !(await openBrowser(page.url, env))) {
    context.err('no browser could be started: open the address of the inspector yourself');
  }
  return page;
}

async function openCollection(
  { database, namespace, isKept }: DemoOptions,
  { client, kubeconfig, url }: Target,
  { clock, signal, workingDirectory }: CommandContext,
  onError: (error: unknown) => void,
): Promise<Collection> {
  const isOurs = kubeconfig !== undefined;
  const path = resolve(workingDirectory, database ?? defaultDatabase(isOurs ? undefined : url));
  // Without the events of a cluster that no longer exists.
  if (database === undefined && isOurs && !isKept) await removeCollection(path);
  const source = await eventSource(client, { server: url, namespace, signal });
  return await Collection.open({ clock, source, path, onError }, { signal });
}

/** Returns the path of the database of a server; undefined is the embedded one. */
function defaultDatabase(url: string | undefined): string {
  const name = url === undefined ? 'events' : new URL(url).host.replaceAll(/[^\w.-]+/g, '-');
  return join('.client-ts', `${name}.db`);
}

function openSimulation(
  { simulation, target: call, isConfirmed }: DemoOptions,
  { client, url, kubelet }: Target,
  { clock }: CommandContext,
  onError: (error: unknown) => void,
): Simulation | undefined {
  if (simulation === undefined) return undefined;
  requireConfirmation(call, url, isConfirmed);
  return new Simulation({ ...simulation, client, kubelet, clock, onError });
}

interface Parts {
  readonly options: DemoOptions;
  readonly target: Target;
  readonly view: ClusterView;
  readonly collection: Collection;
  readonly simulation: Simulation | undefined;
  readonly page: InspectorPage | undefined;
}

function viewModel(
  { options, target, view, collection, simulation, page }: Parts,
  { clock, workingDirectory }: CommandContext,
): ViewModel {
  const startedAt = clock.monotonic();
  const title = titleOf(options, target);
  const hint = hintOf(options, target, workingDirectory);
  const inspector = page === undefined ? '' : `inspector: ${page.url}`;
  const { line: first } = collection;
  const place = relative(workingDirectory, first.place);
  return {
    takeWarnings: () => view.takeWarnings(),
    state: (): DemoState => ({
      title,
      hint,
      inspector,
      nowMs: clock.now(),
      elapsedMs: clock.monotonic() - startedAt,
      ...view.snapshot(),
      queues: [
        ...(simulation === undefined ? [] : [{ name: 'simulation', depth: simulation.queueDepth }]),
        collection.queue,
      ],
      collection: { ...collection.line, place },
    }),
  };
}

function titleOf({ simulation }: DemoOptions, { url }: Target): string {
  if (simulation === undefined) return `watching ${url}`;
  const { rate, seed } = simulation;
  return `simulated cluster at ${url}, rate ${rate}, seed ${seed}`;
}

function hintOf(
  { simulation }: DemoOptions,
  { kubeconfig }: Target,
  workingDirectory: string,
): string {
  if (kubeconfig === undefined || simulation === undefined) return 'read-only';
  const file = relative(workingDirectory, kubeconfig);
  return `kubectl --kubeconfig ${file} get pods --namespace ${simulation.namespace} --watch`;
}

function greeting(options: DemoOptions, target: Target, page: InspectorPage | undefined): string {
  const { kubeconfig } = target;
  const inspector = page === undefined ? '' : `\nInspector: ${page.url}`;
  const title = `client-ts: ${titleOf(options, target)}${inspector}`;
  if (kubeconfig === undefined) return title;
  return `${title}\nTry, in another terminal: kubectl --kubeconfig ${kubeconfig} get pods --all-namespaces`;
}

function farewell(collection: Collection, { workingDirectory }: CommandContext): string[] {
  const { dropped, place, written } = collection.line;
  const file = relative(workingDirectory, place);
  const lost = dropped === 0 ? '' : `, ${dropped} were dropped`;
  return [
    `Collected ${written} events in ${place}${lost}.`,
    collection.isDatabase
      ? `Query them: npx client-ts events --file ${file} --type Warning`
      : `Each line is one event: grep '"type":"Warning"' ${file}`,
  ];
}

/**
 * Runs work in the background until disposed, which aborts it and waits for it. Failures go to
 * `onFailure`.
 */
class Task implements AsyncDisposable {
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;

  constructor(work: (signal: AbortSignal) => Promise<void>, onFailure: (error: unknown) => void) {
    this.#ended = work(this.#stop.signal).catch(onFailure);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }
}
