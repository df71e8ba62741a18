import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTransport } from '../transport/create-transport.ts';
import type { Transport, TransportRequest } from '../transport/transport.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { WriteFence } from './write-fence.ts';

/** A server that is busy once, and sees every request. */
class BusyServer implements Transport {
  readonly requests: string[] = [];
  #isBusy = true;

  async request({ method, path }: TransportRequest) {
    this.requests.push(`${method} ${path}`);
    const isBusy = this.#isBusy;
    this.#isBusy = false;
    const headers = isBusy ? { 'retry-after': '10' } : {};
    return { status: isBusy ? 429 : 200, headers, body: (async function* () {})() };
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

describe('WriteFence', () => {
  it('lets reads pass, and writes only while this process leads', async () => {
    let leads = false;
    const fence = new WriteFence(() => (leads ? undefined : 'ops/lease'));
    const sent: string[] = [];
    const send = (method: string): Promise<unknown> =>
      fence.middleware(
        { method, path: '/api/v1/pods?dryRun=All', headers: {} },
        async (request) => {
          sent.push(request.method);
          return { status: 200, headers: {}, body: (async function* () {})() };
        },
      );
    await send('GET');
    await assert.rejects(send('POST'), {
      code: 'CONTROLLER_NOT_LEADING',
      message: 'POST /api/v1/pods was not sent: this process does not hold the lease ops/lease',
    });
    leads = true;
    await send('DELETE');
    assert.deepEqual(sent, ['GET', 'DELETE']);
  });

  it('stops the retry of a write that was sent while this process led', async () => {
    let leads = true;
    const clock = new VirtualClock();
    const server = new BusyServer();
    const fence = new WriteFence(() => (leads ? undefined : 'ops/lease'));
    await using transport = createTransport(
      { server: 'http://test', transport: server, attemptMiddleware: [fence.middleware] },
      { clock },
    );
    const answer = transport.request({ method: 'POST', path: '/api/v1/pods', headers: {} });
    const refused = assert.rejects(answer, { code: 'CONTROLLER_NOT_LEADING' });
    await clock.advance(1000);
    leads = false;
    await clock.advance(60_000);
    await refused;
    assert.deepEqual(server.requests, ['POST /api/v1/pods']);
  });
});
