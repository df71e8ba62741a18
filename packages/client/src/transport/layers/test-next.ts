import { Readable } from 'node:stream';

import type { TransportHeaders, TransportRequest, TransportResponse } from '../transport.ts';
import type { Next } from '../config.ts';

export const get: TransportRequest = { method: 'GET', path: '/api/v1/pods?limit=1', headers: {} };
export const post: TransportRequest = {
  method: 'POST',
  path: '/api/v1/pods',
  headers: {},
  body: Buffer.from('{}'),
};

/** A response whose body notes how it was treated. */
export interface TestResponse extends TransportResponse {
  readonly fate: { isRead: boolean; isLeft: boolean };
}

export function response(
  status: number,
  headers: TransportHeaders = {},
  chunks: readonly string[] = [],
): TestResponse {
  const fate = { isRead: false, isLeft: false };
  return { status, headers, fate, body: noted(chunks, fate) };
}

async function* noted(
  chunks: readonly string[],
  fate: TestResponse['fate'],
): AsyncGenerator<Uint8Array> {
  try {
    for (const chunk of chunks) yield Buffer.from(chunk);
    fate.isRead = true;
  } finally {
    fate.isLeft = !fate.isRead;
  }
}

/** The handler inside a layer: answers with each step in turn, then repeats the last. */
export interface Script {
  readonly next: Next;
  readonly requests: TransportRequest[];
}

export function script(
  ...steps: readonly (
    | TransportResponse
    | Error
    | ((request: TransportRequest) => TransportResponse)
  )[]
): Script {
  const requests: TransportRequest[] = [];
  const next: Next = async (request) => {
    const step = steps[Math.min(requests.length, steps.length - 1)];
    requests.push(request);
    if (step instanceof Error) throw step;
    if (step === undefined) throw new Error('a request came that is not in the script');
    return typeof step === 'function' ? step(request) : step;
  };
  return { next, requests };
}

export async function textOf({ body }: TransportResponse): Promise<string> {
  let text = '';
  for await (const chunk of Readable.from(body))
    text += Buffer.from(chunk as Uint8Array).toString();
  return text;
}
