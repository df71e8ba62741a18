import { isExpired, type KubernetesObject, type ResourceDescriptor } from 'client-ts/meta';
import type { QueryParameters, Request } from 'client-ts/rest';

import { isTable, type Table, TABLE_ACCEPT } from '../print/table.ts';
import type { Session } from './session.ts';

/** Where to look and what for. */
export interface FetchOptions {
  /** The empty string is everywhere. */
  readonly namespace: string;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** So many at a time; 0 asks for everything at once. */
  readonly chunkSize: number;
  /** Not more than so many in all. */
  readonly limit?: number | undefined;
  readonly signal: AbortSignal;
}

/** How answers are wanted. */
export type Shape =
  | { readonly as: 'objects' }
  /** With the whole object in every row, instead of its metadata. */
  | { readonly as: 'table'; readonly withObjects: boolean };

/** A page of answers, in the shape that was asked for or, if the server cannot make it, as objects. */
export type Answer =
  | { readonly table: Table; readonly page: PageInfo }
  | { readonly objects: readonly KubernetesObject[]; readonly page: PageInfo };

/** What a list says about itself. */
export interface PageInfo {
  readonly resourceVersion: string;
  /** Where to go on; the empty string at the end. */
  readonly next: string;
  /** How many more there are, if the server says so. */
  readonly remaining: number | undefined;
}

interface ObjectList {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata?: Table['metadata'];
  readonly items?: readonly KubernetesObject[] | null;
}

/** One object by its name. */
export async function fetchOne(
  session: Session,
  resource: ResourceDescriptor,
  name: string,
  shape: Shape,
  { namespace, signal }: Pick<FetchOptions, 'namespace' | 'signal'>,
): Promise<Answer> {
  const request = shaped(requestFor(session, resource, namespace).name(name), shape);
  const answer = await request.into<KubernetesObject>({ signal });
  const page = { resourceVersion: '', next: '', remaining: undefined };
  return isTable(answer) ? { table: answer, page } : { objects: [answer], page };
}

/**
 * All objects, page by page. When the server forgets the list in between, what is missing comes in
 * one piece, of a newer time; nothing comes twice.
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

/** The path of a resource; what is not in namespaces is found everywhere. */
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

/** Asks for a shape. */
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

/** What has not come before. Items of a list do not say what they are; the list does. */
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
