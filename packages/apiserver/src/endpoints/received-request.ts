import type { RequestInfo } from 'client-ts/meta';

import type { UserInfo } from '../auth/user.ts';
import type { ApiRequest } from '../http.ts';
import { header } from './exchange.ts';

/** A request that the server has answered. */
export interface ReceivedRequest {
  /** Who made it, after impersonation; undefined if the server does not know the credentials. */
  readonly user: UserInfo | undefined;
  /**
   * `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`; for requests
   * that are not for a resource, the method in lower case.
   */
  readonly verb: string;
  /** Empty for the core group, and for requests that are not for a resource. */
  readonly group: string;
  readonly version: string;
  /** The plural: `pods`. Empty for requests that are not for a resource. */
  readonly resource: string;
  /** `status`, `scale`; empty for the resource itself. */
  readonly subresource: string;
  /** Empty for requests across namespaces and for objects that are in none. */
  readonly namespace: string;
  /** As in the URL: empty for a creation. */
  readonly name: string;
  /** Path and query, as received. */
  readonly url: string;
  readonly userAgent: string;
  readonly contentType: string;
  /** The body, as received; empty if the server did not read one. */
  readonly body: Uint8Array;
  /** The HTTP status of the answer. */
  readonly status: number;
}

/** Collects what is known about a request while it is handled, for {@link ReceivedRequest}. */
export class RequestReport {
  readonly #request: ApiRequest;
  #body = new Uint8Array();
  #info: RequestInfo | undefined;
  #user: UserInfo | undefined;

  constructor(request: ApiRequest) {
    this.#request = request;
  }

  /** Returns the request with a body that is remembered when it is read. */
  observed(): ApiRequest {
    const request = this.#request;
    return {
      ...request,
      body: async () => {
        const body = await request.body();
        this.#body = new Uint8Array(body);
        return body;
      },
    };
  }

  /** Adds what the request asks for, and later who asks. */
  identify(info: RequestInfo, user?: UserInfo): void {
    this.#info = info;
    this.#user = user;
  }

  answered(status: number): ReceivedRequest {
    const { headers, method, url } = this.#request;
    const info = this.#info;
    const isResource = info?.isResourceRequest ?? false;
    return {
      user: this.#user,
      verb: info?.verb ?? method.toLowerCase(),
      group: isResource ? (info?.group ?? '') : '',
      version: isResource ? (info?.version ?? '') : '',
      resource: info?.resource ?? '',
      subresource: info?.subresource ?? '',
      namespace: info?.namespace ?? '',
      name: info?.name ?? '',
      url,
      userAgent: header(headers, 'user-agent'),
      contentType: header(headers, 'content-type'),
      body: this.#body,
      status,
    };
  }
}
