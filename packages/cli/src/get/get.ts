import { isNotFound, type KubernetesObject } from 'client-ts/meta';

import type { ConnectionValues } from '../frame/connection-flags.ts';
import type { CommandContext } from '../frame/context.ts';
import { writeExactly } from '../frame/printable.ts';
import { withProgress } from '../frame/progress.ts';
import { UsageError } from '../frame/usage-error.ts';
import type { JSONPath } from 'client-ts/jsonpath';
import {
  formatObject,
  listPrinter,
  type ObjectFormat,
  withoutManagedFields,
} from '../print/object-printer.ts';
import type { OutputFormat } from '../print/output-format.ts';
import { type Answer, fetchAll, fetchOne, type Shape } from '../resources/fetch.ts';
import { resolveTargets, type Selection } from '../resources/resolve.ts';
import { openSession, type Session } from '../resources/session.ts';
import type { Target } from '../resources/targets.ts';
import { sortByPath } from './sort.ts';
import { printTables, type TablesOptions } from './tables.ts';

/** Selects objects. */
export interface Wanted {
  readonly connection: ConnectionValues;
  readonly targets: readonly Target[];
  readonly namespace: string | undefined;
  readonly allNamespaces: boolean;
  readonly labelSelector: string | undefined;
  readonly fieldSelector: string | undefined;
}

/** Options of `client-ts get`. */
export interface GetOptions extends Wanted, TablesOptions {
  readonly format: OutputFormat;
  readonly sortBy: JSONPath | undefined;
  readonly chunkSize: number;
  readonly limit: number | undefined;
  readonly ignoreNotFound: boolean;
  readonly subresource: string | undefined;
  readonly showManagedFields: boolean;
}

/** Prints objects. Errors are reported at the end, after everything readable was printed. */
export async function get(options: GetOptions, context: CommandContext): Promise<void> {
  checkWanted(options);
  if (options.subresource !== undefined && options.targets.some(({ names }) => !names)) {
    throw new UsageError('--subresource requires names of objects');
  }
  await using session = await openSession(options.connection, context, options);
  const selections = await withProgress(
    context,
    `Asking ${session.config.server} what it serves`,
    resolveTargets(session, options.targets, context.signal),
  );
  const reader = new Reader(session, options, context);
  const { format } = options;
  if (format.type === 'table')
    await printTables(selections, reader, { ...options, ...format }, context);
  else if (isSingle(selections))
    await printOne(selections, reader, { ...options, format }, context);
  else await printList(selections, reader, { ...options, format }, context);
  reader.throwFailures();
}

/** Rejects names with `-A` or selectors. Throws `UsageError`. */
export function checkWanted({
  targets,
  allNamespaces,
  labelSelector,
  fieldSelector,
}: Wanted): void {
  if (targets.every(({ names }) => names === undefined)) return;
  if (allNamespaces) {
    throw new UsageError('objects cannot be selected by name with -A');
  }
  if (labelSelector !== undefined || fieldSelector !== undefined) {
    throw new UsageError('names and selectors cannot be combined');
  }
}

/** Fetches selections, and collects errors. */
export class Reader {
  readonly #session: Session;
  readonly #options: GetOptions;
  readonly #context: CommandContext;
  readonly #failures: unknown[] = [];

  constructor(session: Session, options: GetOptions, context: CommandContext) {
    this.#session = session;
    this.#options = options;
    this.#context = context;
  }

  /** The namespace; empty for all. */
  get namespace(): string {
    return this.#options.allNamespaces ? '' : this.#session.namespace;
  }

  get hasFailed(): boolean {
    return this.#failures.length > 0;
  }

  /** All objects of a selection, page by page. */
  async *read(selection: Selection, shape: Shape): AsyncGenerator<Answer, void, undefined> {
    const { namespace } = this;
    const { signal } = this.#context;
    const { resource, names } = selection;
    const title = `Reading ${resource.resource}`;
    if (names === undefined) {
      const pages = fetchAll(this.#session, resource, shape, {
        ...this.#options,
        namespace,
        signal,
        // Sorting needs all of them.
        chunkSize: this.#options.sortBy === undefined ? this.#options.chunkSize : 0,
      });
      try {
        for (let count = 0; ;) {
          const work = pages.next();
          const progress = count === 0 ? title : `${title} (${count} so far)`;
          const { value, done } = await withProgress(this.#context, progress, work);
          if (done === true) return;
          count += 'table' in value ? (value.table.rows?.length ?? 0) : value.objects.length;
          yield value;
        }
      } catch (error) {
        this.#fail(error);
      }
      return;
    }
    for (const name of names) {
      try {
        const { subresource } = this.#options;
        const place = { namespace, subresource, signal };
        const work = fetchOne(this.#session, resource, name, shape, place);
        yield await withProgress(this.#context, `${title}/${name}`, work);
      } catch (error) {
        if (!this.#options.ignoreNotFound || !isNotFound(error)) this.#fail(error);
      }
    }
  }

  throwFailures(): void {
    if (this.#failures.length === 0) return;
    throw new AggregateError(this.#failures, 'some objects could not be read');
  }

  #fail(error: unknown): void {
    this.#context.signal.throwIfAborted();
    this.#failures.push(error);
  }
}

interface ObjectsOptions extends GetOptions {
  readonly format: ObjectFormat;
}

function isSingle(selections: readonly Selection[]): boolean {
  return selections.length === 1 && selections[0]?.names?.length === 1;
}

async function printOne(
  selections: readonly Selection[],
  reader: Reader,
  options: ObjectsOptions,
  context: CommandContext,
): Promise<void> {
  for await (const object of objectsOf(selections, reader)) {
    writeExactly(context.stdout, formatObject(shown(object, options), options.format, options));
  }
}

async function printList(
  selections: readonly Selection[],
  reader: Reader,
  options: ObjectsOptions,
  context: CommandContext,
): Promise<void> {
  const { format, sortBy } = options;
  const printer = listPrinter(format, (text) => writeExactly(context.stdout, text), options);
  const pending: KubernetesObject[] = [];
  for await (const object of objectsOf(selections, reader)) {
    if (sortBy === undefined) printer.add([shown(object, options)]);
    else pending.push(shown(object, options));
    await context.stdout.drained();
    context.signal.throwIfAborted();
  }
  if (sortBy !== undefined) printer.add(sortByPath(pending, sortBy, (object) => object));
  printer.end();
}

async function* objectsOf(
  selections: readonly Selection[],
  reader: Reader,
): AsyncGenerator<KubernetesObject, void, undefined> {
  for (const selection of selections) {
    for await (const answer of reader.read(selection, { as: 'objects' })) {
      if ('objects' in answer) yield* answer.objects;
    }
  }
}

function shown(object: KubernetesObject, options: ObjectsOptions): KubernetesObject {
  const isWhole = options.showManagedFields || !['json', 'yaml'].includes(options.format.type);
  return isWhole ? object : withoutManagedFields(object);
}
