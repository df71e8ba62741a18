import { isExpired, type KubernetesObject, type ResourceDescriptor } from 'client-ts/meta';
import type { QueryParameters, Request } from 'client-ts/rest';

import { isTable, type Table, TABLE_ACCEPT } from '../print/table.ts';
import type { Session } from './session.ts';

/** Selects objects of a resource. */
export interface FetchOptions {
  /** Empty for all namespaces. */
  readonly namespace: string;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** The page size; 0 for no paging. */
  readonly chunkSize: number;
  /** The maximum number of objects. */
  readonly limit?: number | undefined;
  readonly signal: AbortSignal;
}

/** The representation of objects. */
export type Shape =
  | { readonly as: 'objects' }
  /** Include whole objects in rows, instead of metadata. */
  | { readonly as: 'table'; readonly withObjects: boolean };

/** A page, as a table or, if the server has none, as objects. */
export type Answer =
  | { readonly table: Table; readonly page: PageInfo }
  | { readonly objects: readonly KubernetesObject[]; readonly page: PageInfo };

/** The metadata of a list. */
export interface PageInfo {
  readonly resourceVersion: string;
  /** The continue token; empty at the end. */
  readonly next: string;
  /** The number of remaining objects, if the server sends it. */
  readonly remaining: number | undefined;
}

interface ObjectList {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata?: Table['metadata'];
  readonly items?: readonly KubernetesObject[] | null;
}

/** Options of {@link fetchOne}. */
export interface FetchOneOptions extends Pick<FetchOptions, 'namespace' | 'signal'> {
  readonly subresource?: string | undefined;
}

/** Gets one object. */
export async function fetchOne(
  session: Session,
  resource: ResourceDescriptor,
  name: string,
  shape: Shape,
  { namespace, subresource, signal }: FetchOneOptions,
): Promise<Answer> {
  const named = requestFor(session, resource, namespace).name(name);
  const whole = subresource === undefined ? named : named.subresource(subresource);
  const request = shaped(whole, shape);
  const answer = await request.into<KubernetesObject>({ signal });
  const page = { resourceVersion: '', next: '', remaining: undefined };
  return isTable(answer) ? { table: answer, page } : { objects: [answer], page };
}

/**
 * Lists objects page by page. If the continue token expires, the rest is listed in one piece at a
 * newer version, without duplicates.
 */
export async function* fetchAll(
  session: Session,
  resource: ResourceDescriptor,
  shape: Shape,
  options: FetchOptions,
): AsyncGenerator<Answer, void, undefined> {
  const { namespace, labelSelector, fieldSelector, chunkSize, signal } = options;
  const seen = new Set<string>();
  let left = options.limit ?? Number.POSITIVE_INFINITY;
  let next = '';
  do {
    const size = Math.min(left, chunkSize === 0 ? left : chunkSize);
    const limit = Number.isFinite(size) ? size : undefined;
    const selectors = { labelSelector, fieldSelector };
    const query: QueryParameters = { ...selectors, limit, continue: next || undefined };
    const request = shaped(requestFor(session, resource, namespace), shape);
    const answer = await request
      .params(query)
      .into<ObjectList | Table>({ signal })
      .catch((error: unknown) => {
        if (next === '' || !isExpired(error)) throw error;
        return request.params(selectors).into<ObjectList | Table>({ signal });
      });
    const page = pageOf(answer);
    ({ next } = page);
    const fresh = freshOf(answer, resource, page, seen);
    left -= 'table' in fresh ? (fresh.table.rows?.length ?? 0) : fresh.objects.length;
    yield fresh;
  } while (next !== '' && left > 0);
}

/** The path of a resource; cluster-scoped ones have no namespace. */
export function requestFor(
  { rest }: Session,
  resource: ResourceDescriptor,
  namespace: string,
): Request {
  const request = rest.get().resource(resource);
  return resource.scope === 'Namespaced' && namespace !== ''
    ? request.namespace(namespace)
    : request;
}

/** The headers of a representation. */
export function shaped(request: Request, shape: Shape): Request {
  if (shape.as === 'objects') return request;
  const asked = request.header('accept', TABLE_ACCEPT);
  return shape.withObjects ? asked.param('includeObject', 'Object') : asked;
}

function pageOf({ metadata = {} }: ObjectList | Table): PageInfo {
  return {
    resourceVersion: metadata.resourceVersion ?? '',
    next: metadata.continue ?? '',
    remaining: metadata.remainingItemCount,
  };
}

/** The items not seen before, with the kind of the list, which items lack. */
function freshOf(
  answer: ObjectList | Table,
  { kind }: ResourceDescriptor,
  page: PageInfo,
  seen: Set<string>,
): Answer {
  const isFresh = (object: KubernetesObject | null | undefined): boolean => {
    const { uid = '', name = '', namespace = '' } = object?.metadata ?? {};
    const key = uid === '' ? `${namespace}/${name}` : uid;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  };
  if (isTable(answer)) {
    const rows = (answer.rows ?? []).filter(({ object }) => object == null || isFresh(object));
    return { table: { ...answer, rows }, page };
  }
  const { apiVersion } = answer;
  const objects = (answer.items ?? [])
    .filter(isFresh)
    .map((item) => ({ ...(apiVersion !== undefined && { apiVersion }), kind, ...item }));
  return { objects, page };
}
