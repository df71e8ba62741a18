import { createGzip, constants, gzip } from 'node:zlib';
import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { ApiRequest, ApiResponse } from '../http.ts';
import { header } from './exchange.ts';

/** The threshold of kube-apiserver: a response of exactly this size is not compressed. */
const COMPRESS_ABOVE_BYTES = 128 * 1024;
const LEVEL = constants.Z_BEST_SPEED;
const gzipAsync = promisify(gzip);

/**
 * Compresses large responses for clients that list gzip without parameters. Watches are not
 * compressed: their small events must arrive immediately.
 */
export async function compress(request: ApiRequest, response: ApiResponse): Promise<ApiResponse> {
  const { body, headers } = response;
  if (body === undefined || response.compressible === false) return response;
  if (!acceptsGzip(header(request.headers, 'accept-encoding'))) return response;
  const compressed = compressedHeaders(headers);
  if (!(body instanceof Uint8Array)) {
    if (response.compressible !== true) return response;
    const stream = pipeline(Readable.from(body), createGzip({ level: LEVEL }), ignoreAbort);
    return { ...response, headers: compressed, body: stream };
  }
  if (body.length <= COMPRESS_ABOVE_BYTES) return response;
  return { ...response, headers: compressed, body: await gzipAsync(body, { level: LEVEL }) };
}

/** The transport determines the compressed length. */
function compressedHeaders(headers: ApiResponse['headers']): ApiResponse['headers'] {
  const { 'content-length': _plain, ...rest } = headers;
  return { vary: 'Accept-Encoding', ...rest, 'content-encoding': 'gzip' };
}

/** A client that disconnects early is not an error; the transport notices it. */
function ignoreAbort(): void {}

function acceptsGzip(acceptEncoding: string): boolean {
  return acceptEncoding.split(',').some((name) => name.trim() === 'gzip');
}
