import { MEDIA_TYPES } from '../codec/media-types.ts';
import { ClientError } from '../lib/errors.ts';
import { describeError, type Logger } from '../lib/logger.ts';
import { isThenable } from '../lib/thenable.ts';
import { apiErrorOf } from '../meta/api-error.ts';
import type { GroupVersionResource } from '../meta/resource.ts';
import { TransportError } from '../transport/transport-error.ts';
import { type Engine, pathOf, type RequestSpec } from './engine.ts';
import type { Result } from './result.ts';
import type { ObservedWrite, WriteObserver, WriteVerb } from './write-observer.ts';

/** Subresources that change no object of the API. */
const HARMLESS: ReadonlySet<string> = new Set([
  'attach',
  'exec',
  'log',
  'portforward',
  'proxy',
  'token',
]);

/** Sends a request; if it is a write, its observer is called before and after. */
export async function sendObserved(
  { onWrite, logger }: Pick<Engine, 'logger'> & { readonly onWrite: WriteObserver },
  spec: RequestSpec,
  signal: AbortSignal | undefined,
  send: () => Promise<Result>,
): Promise<Result> {
  const write = signal?.aborted === true ? undefined : writeOf(spec, signal);
  if (write === undefined) return await send();
  const settle = guarded(logger, () => onWrite(write)) ?? (() => undefined);
  try {
    const result = await send();
    const settling = guarded(logger, () => settle({ type: 'accepted', result }));
    if (isThenable(settling)) await settling;
    return result;
  } catch (error) {
    const isUnknown = signal?.aborted === true || mayHaveBeenDone(error);
    const type = isUnknown ? 'unknown' : 'refused';
    await guarded(logger, () => settle({ type, error }));
    throw error;
  }
}

/** Returns an observer that calls both. */
export function bothObservers(first: WriteObserver, second: WriteObserver): WriteObserver {
  return (write) => {
    const settles = [first(write), second(write)];
    return async (outcome) => {
      for (const settle of settles) await settle?.(outcome);
    };
  };
}

/** Returns the write that a request is; undefined for reads, dry runs and other paths. */
function writeOf(spec: RequestSpec, signal: AbortSignal | undefined): ObservedWrite | undefined {
  const { base, body } = spec;
  const place = base === undefined ? placeOf(spec) : placeIn(pathOf(spec));
  const verb = verbOf(spec, place?.name);
  if (verb === undefined || place === undefined || isDryRun(spec)) return undefined;
  const { namespace = '', subresource = '' } = place;
  if (subresource !== '' && HARMLESS.has(subresource.split('/', 1)[0] ?? '')) return undefined;
  const content = body instanceof Uint8Array ? undefined : body;
  const name = place.name ?? (verb === 'create' ? nameIn(content) : undefined);
  return { verb, resource: place.resource, namespace, name, subresource, body: content, signal };
}

/** What a path is about. */
interface Place {
  readonly resource: GroupVersionResource;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

function placeOf({ target, groupVersion: { group, version } }: RequestSpec): Place | undefined {
  const { namespace, name, subresources = [] } = target;
  if (target.resource === undefined) return undefined;
  const resource = { group, version, resource: target.resource.toLowerCase() };
  return { resource, namespace, name, subresource: subresources.join('/') };
}

const RESOURCE_PATH =
  /^\/(?:api|apis\/(?<group>[^/]+))\/(?<version>[^/]+)\/(?:namespaces\/(?<namespace>[^/]+)\/)?(?<resource>[^/]+)(?:\/(?<name>[^/]+)(?:\/(?<subresource>.+))?)?$/;

/** Parses a path that was given as a whole, as servers do. */
function placeIn(path: string): Place | undefined {
  const parts = RESOURCE_PATH.exec(path)?.groups;
  if (parts === undefined) return undefined;
  const { group = '', version = '', resource = '', namespace, name, subresource } = parts;
  const isOfNamespace =
    namespace !== undefined && (resource === 'status' || resource === 'finalize');
  if (group === '' && isOfNamespace) {
    const own = { group, version, resource: 'namespaces' };
    return { resource: own, name: decodeURIComponent(namespace), subresource: resource };
  }
  return {
    resource: { group, version, resource },
    namespace: namespace && decodeURIComponent(namespace),
    name: name && decodeURIComponent(name),
    subresource,
  };
}

function verbOf(
  { method, contentType }: RequestSpec,
  name: string | undefined,
): WriteVerb | undefined {
  switch (method) {
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return contentType === MEDIA_TYPES.applyPatch ? 'apply' : 'patch';
    case 'DELETE':
      return name === undefined ? 'deletecollection' : 'delete';
    default:
      return undefined;
  }
}

function isDryRun({ parameters, body }: RequestSpec): boolean {
  if (parameters.some(([name]) => name === 'dryRun')) return true;
  const { kind, dryRun } = (body ?? {}) as { readonly kind?: unknown; readonly dryRun?: unknown };
  return kind === 'DeleteOptions' && Array.isArray(dryRun) && dryRun.length > 0;
}

function nameIn(body: object | undefined): string | undefined {
  const { metadata } = (body ?? {}) as { readonly metadata?: { readonly name?: unknown } | null };
  const name = metadata?.name;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** A 4xx is a refusal. After a 5xx, such as a timeout of the storage, the write may be stored. */
function mayHaveBeenDone(error: unknown): boolean {
  const code = apiErrorOf(error)?.status.code;
  if (code !== undefined) return code >= 500;
  if (error instanceof TransportError) return error.mayHaveBeenHandled;
  // Other errors of ours come before the request is sent, except those about its answer.
  return !(error instanceof ClientError) || error.code.startsWith('REST_RESPONSE_');
}

/** Calls an observer. Its errors concern neither the write nor the caller. */
function guarded<R>(logger: Logger, call: () => R): R | undefined {
  const report = (error: unknown): void =>
    logger.warn(`an observer of writes failed: ${describeError(error)}`, {
      event: 'callback.failed',
      callback: 'observer of writes',
    });
  try {
    const result = call();
    return isThenable(result) ? (result.then(undefined, report) as R) : result;
  } catch (error) {
    report(error);
    return undefined;
  }
}
