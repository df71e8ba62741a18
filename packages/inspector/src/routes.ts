import { defineErrors, isJsonObject } from 'client-ts/internal';
import { LabelSelectorError } from 'client-ts/meta';
import { InspectorError } from './inspector-error.ts';
import type { Source } from './source.ts';

/** A request that cannot be answered, with a status. */
export class RouteProblem extends InspectorError {
  readonly status: number;

  constructor(status: number, message: string) {
    super('INSPECTOR_REQUEST_INVALID', message);
    this.status = status;
  }

  static {
    defineErrors(this, 'RouteProblem');
  }
}

type Route = (source: Source, parameters: URLSearchParams) => unknown;

/** Texts in queries that are longer than this are refused. */
const MAX_TEXT = 1000;

/** The answers of `GET /api/…`, by path. They are plain JSON. */
export const READS: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['/api/session', (source) => source.info],
  ['/api/snapshot', (source) => source.snapshot()],
  [
    '/api/records',
    (source, parameters) => {
      const types = textOf(parameters, 'types');
      return source.records.query({
        after: numberOf(parameters, 'after'),
        before: numberOf(parameters, 'before'),
        limit: limitOf(parameters, 1000, 10_000),
        ...(types !== '' && { types: new Set(types.split(',')) }),
      });
    },
  ],
  [
    '/api/objects',
    (source, parameters) => {
      const informer = textOf(parameters, 'informer');
      const found = source.objects({
        informer,
        text: textOf(parameters, 'q'),
        labels: textOf(parameters, 'label'),
        index: parameters.get('index') ?? undefined,
        value: parameters.get('value') ?? undefined,
        limit: limitOf(parameters, 100, 1000),
        after: parameters.get('after') ?? undefined,
      });
      return found ?? unknownInformer(informer);
    },
  ],
  [
    '/api/index',
    (source, parameters) => {
      const [informer, index, text] = ['informer', 'index', 'q'].map((name) =>
        textOf(parameters, name),
      ) as [string, string, string];
      const limit = limitOf(parameters, 100, 1000);
      const found = source.indexValues(informer, index, text, limit);
      return found ?? new RouteProblem(404, `the index "${index}" cannot be searched`);
    },
  ],
  [
    '/api/object',
    (source, parameters) => {
      const informer = textOf(parameters, 'informer');
      const key = textOf(parameters, 'key');
      const missing = `the object "${key}" of informer "${informer}" is not known`;
      return source.object(informer, key) ?? new RouteProblem(404, missing);
    },
  ],
  [
    '/api/reconciles',
    (source, parameters) => ({
      records: source.reconciles(textOf(parameters, 'controller'), textOf(parameters, 'key')),
    }),
  ],
  [
    '/api/keys',
    (source, parameters) =>
      source.keys(
        textOf(parameters, 'controller'),
        textOf(parameters, 'q'),
        limitOf(parameters, 100, 1000),
      ),
  ],
]);

/** Returns the answer of a read, or the problem with it. */
export function read(source: Source, path: string, parameters: URLSearchParams): unknown {
  const route = READS.get(path);
  if (route === undefined) return new RouteProblem(404, `there is nothing at ${path}`);
  try {
    return route(source, parameters);
  } catch (error) {
    if (error instanceof RouteProblem) return error;
    if (error instanceof LabelSelectorError) return new RouteProblem(400, error.message);
    throw error;
  }
}

/** Performs an action. */
export function act(source: Source, body: unknown): unknown {
  if (!source.info.actions) {
    return new RouteProblem(403, 'actions are not enabled: set actions: true in the program');
  }
  const { queue, key } = isJsonObject(body) ? body : {};
  if (typeof queue !== 'string' || typeof key !== 'string' || key === '') {
    return new RouteProblem(400, 'queue and key must be strings');
  }
  if (!source.enqueue(queue, key)) {
    return new RouteProblem(404, `the queue "${queue}" is not known, or its items are not keys`);
  }
  return { queue, key };
}

function unknownInformer(informer: string): RouteProblem {
  return new RouteProblem(404, `the informer "${informer}" is not known or cannot be searched`);
}

function textOf(parameters: URLSearchParams, name: string): string {
  const text = parameters.get(name) ?? '';
  if (text.length > MAX_TEXT) throw new RouteProblem(400, `${name} is too long`);
  return text;
}

function numberOf(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name);
  if (text === null) return undefined;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new RouteProblem(400, `${name} must be a whole number`);
}

function limitOf(parameters: URLSearchParams, byDefault: number, most: number): number {
  const limit = numberOf(parameters, 'limit') ?? byDefault;
  return Math.min(most, Math.max(1, limit));
}

/** Returns the `after` of a stream. */
export function streamStart(parameters: URLSearchParams): number | RouteProblem | undefined {
  try {
    return numberOf(parameters, 'after');
  } catch (error) {
    if (error instanceof RouteProblem) return error;
    throw error;
  }
}
