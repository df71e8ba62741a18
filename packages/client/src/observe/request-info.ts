import { parseRequestInfo } from '../meta/request-info.ts';

/** What a request is about, in the words of Kubernetes. */
export interface RequestInfo {
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `apply`, `delete`, `deletecollection`, … */
  readonly verb: string;
  /** As in `deployments.apps` or `pods/log`; the path if it names no resource. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/** The parts of a request that {@link requestInfo} reads. */
export interface RequestLine {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** True for a response that is streamed until it is closed. */
  readonly stream: boolean;
  readonly contentType?: string;
  readonly createdName?: string;
}

/** Returns what a request is about, without its query: a watch is a list that is streamed. */
export function requestInfo(line: RequestLine): RequestInfo {
  const { method, path, stream, contentType = '', createdName = '' } = line;
  const info = parseRequestInfo(method, path);
  const { isResourceRequest, group, resource, subresource, name } = info;
  if (!isResourceRequest) return { verb: info.verb, resource: path, namespace: '', name: '' };
  const full = group === '' ? resource : `${resource}.${group}`;
  let verb = info.verb === '' ? method.toLowerCase() : info.verb;
  if (verb === 'list' && stream) verb = 'watch';
  else if (verb === 'patch' && contentType.startsWith('application/apply-patch')) verb = 'apply';
  return {
    verb,
    resource: subresource === '' ? full : `${full}/${subresource}`,
    // For servers the namespace of a Namespace is its name.
    namespace: resource === 'namespaces' ? '' : info.namespace,
    name: name === '' ? createdName : name,
  };
}
