import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

import type { Middleware } from '../config.ts';
import { TransportError } from '../transport-error.ts';
import type { TransportResponse } from '../transport.ts';

/**
 * Asks for gzip and unpacks it as it arrives; the caller sees the plain body and no trace of it. A
 * request that asks for an encoding itself gets it as it comes.
 */
export const compression: Middleware = async (request, next) => {
  if (request.headers['accept-encoding'] !== undefined) return next(request);
  const headers = { ...request.headers, 'accept-encoding': 'gzip' };
  return unpack(await next({ ...request, headers }));
};

function unpack(response: TransportResponse): TransportResponse {
  const { 'content-encoding': encoding, 'content-length': _, ...headers } = response.headers;
  if (encoding !== 'gzip') return response;
  return { ...response, headers, body: gunzip(response.body) };
}

async function* gunzip(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let failure: { readonly error: unknown } | undefined;
  const plain = pipeline(
    Readable.from(observed(body, (error) => (failure = { error }))),
    createGunzip(),
    () => undefined,
  );
  try {
    // Leaving this loop destroys the pipeline, which leaves the body.
    yield* plain as AsyncIterable<Uint8Array>;
  } catch (cause) {
    // What became of the body says more than what zlib makes of it.
    if (failure !== undefined) throw failure.error;
    const message = 'the answer is not the gzip that it claims to be';
    throw new TransportError('PROTOCOL', message, { cause, mayHaveBeenHandled: true });
  }
}

async function* observed(
  body: AsyncIterable<Uint8Array>,
  onFailure: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    onFailure(error);
    throw error;
  }
}
