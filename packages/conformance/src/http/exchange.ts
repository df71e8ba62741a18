import { gunzipSync } from 'node:zlib';

import { getKey } from 'client-ts/internal';
import type { ObjectMeta } from 'client-ts/meta';
import type { Transport, TransportHeaders, TransportRequest } from 'client-ts/transport';

/** A response with its whole body. */
export interface CompleteResponse {
  readonly status: number;
  readonly headers: TransportHeaders;
  /** The body as sent, still compressed. */
  readonly encoded: Uint8Array;
  /** The body without `Content-Encoding`. */
  readonly body: Uint8Array;
}

/** Sends one request and reads the whole response. */
export async function exchange(
  transport: Transport,
  request: TransportRequest,
): Promise<CompleteResponse> {
  const { status, headers, body } = await transport.request(request);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const encoded = Buffer.concat(chunks);
  const gzipped = firstHeader(headers, 'content-encoding') === 'gzip' && encoded.length > 0;
  return { status, headers, encoded, body: gzipped ? gunzipSync(encoded) : encoded };
}

/** Returns the value of a header; the first if it was sent several times. */
export function firstHeader(headers: TransportHeaders, name: string): string | undefined {
  const value = getKey(headers, name);
  return typeof value === 'string' ? value : value?.[0];
}

/** Any API object, as tests use it. */
export interface ApiObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta & {
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items?: readonly ApiObject[];
  readonly [key: string]: unknown;
}
