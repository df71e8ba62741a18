import {
  type ApiError,
  newBadRequest,
  newGenericServerResponse,
  newInternalError,
  type RequestInfo,
} from 'client-ts/meta';

import type { KubeletError } from '../kubelet.ts';

/** Returns the error of a real server for the refusal of a kubelet. */
export function nodeFailure(
  { status, message }: KubeletError,
  { resource, subresource, name }: RequestInfo,
): ApiError {
  if (status === 400) return newBadRequest(message);
  if (status === 500) return newInternalError(message);
  return newGenericServerResponse({
    code: status,
    verb: '',
    resource: { group: '', resource: `${resource}/${subresource}` },
    name,
    serverMessage: message,
  });
}
