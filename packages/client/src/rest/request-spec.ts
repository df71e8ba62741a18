import { quoteGo } from '../lib/go-format.ts';
import type { GroupVersion } from '../meta/resource.ts';
import { groupVersionPath, type Target, targetPath } from './path.ts';
import { invalidRequest } from './rest-error.ts';

/** The encodings that a client can be told to prefer. */
export type CodecName = 'json' | 'protobuf';

/** One request as plain data: what the builder collects and the engine sends. */
export interface RequestSpec {
  /** The HTTP method. */
  readonly method: string;
  readonly groupVersion: GroupVersion;
  /** Stands in place of the path of the group-version; escaped already. */
  readonly base?: string | undefined;
  readonly target: Target;
  /** Comes after everything else in the path; escaped already. */
  readonly below?: string | undefined;
  readonly parameters: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** An object is encoded; bytes are sent as they are. */
  readonly body?: object | undefined;
  /** With an object it means: as JSON under this name. */
  readonly contentType?: string | undefined;
  /** In milliseconds. */
  readonly timeout?: number | undefined;
  /** A longer answer is refused. Default: the limit of the client. */
  readonly maxResponseBytes?: number | undefined;
  /** The encoding that is preferred in the answer. Default: that of the client. */
  readonly answerCodec?: CodecName | undefined;
}

/** The path of a request, without its query. Throws if the parts do not make one. */
export function pathOf({ method, groupVersion, base, target, below = '' }: RequestSpec): string {
  checkNamespace(method, target);
  const path = (base ?? groupVersionPath(groupVersion)) + targetPath(target) + below;
  return path === '' ? '/' : path;
}

/**
 * An empty namespace means all of them, which is right for lists. For one object it is a variable
 * that was not set, and the server's 404 or 405 would not say so.
 */
function checkNamespace(method: string, { namespace, name }: Target): void {
  if (namespace !== '') return;
  if (method === 'POST') {
    throw invalidRequest(
      'an object cannot be created in all namespaces',
      "Give a namespace: pods('default') instead of pods().",
    );
  }
  if (name !== undefined) {
    throw invalidRequest(
      `the object ${quoteGo(name)} cannot be addressed in all namespaces`,
      "Give a namespace: pods('default') instead of pods().",
    );
  }
}
