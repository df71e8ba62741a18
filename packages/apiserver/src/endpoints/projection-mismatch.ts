import { ApiError, failureStatus } from 'client-ts/meta';
import type { ResourceInfo } from '../registry/resource.ts';

/** The metadata of one object was asked for where there is a list. */
export function isAList(info: ResourceInfo): ApiError {
  const type = goTypeName(info, 'List');
  return mismatch(
    `you requested PartialObjectMetadata, but the requested object is a list (${type})`,
  );
}

/** The metadata of a list was asked for where there is one object. */
export function notAList(info: ResourceInfo): ApiError {
  if (info.crd !== undefined) {
    // A real server notices too late, and takes it for a fault of its own.
    return new ApiError(failureStatus({ code: 500, message: 'content is not a list' }));
  }
  const type = goTypeName(info);
  return mismatch(
    `you requested PartialObjectMetadataList, but the requested object is not a list (${type})`,
  );
}

function mismatch(message: string): ApiError {
  return new ApiError(failureStatus({ code: 406, reason: 'NotAcceptable', message }));
}

/** Groups whose Go package is not called like the first part of their name. */
const PACKAGES: ReadonlyMap<string, string> = new Map([
  ['', 'core'],
  ['events.k8s.io', 'core'],
  ['internal.apiserver.k8s.io', 'apiserverinternal'],
]);

/** What a server written in Go calls the type, which it mentions in its messages. */
function goTypeName({ group, kind, crd }: ResourceInfo, suffix = ''): string {
  if (crd !== undefined) return `*unstructured.Unstructured${suffix}`;
  return `*${PACKAGES.get(group) ?? group.split('.', 1)[0]}.${kind}${suffix}`;
}
