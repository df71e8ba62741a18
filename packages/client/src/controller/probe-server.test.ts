import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { type Endpoint, ProbeServer } from './probe-server.ts';

describe('ProbeServer', () => {
  /** Sends the path as it is, which `fetch` would not. */
  const ask = async (port: number, path: string, method = 'GET') => {
    const sent = request({ port, path, method }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return `${response.statusCode} ${(await text(response)).trim()}`;
  };

  const echo: Endpoint = (path, query) => {
    if (path === '/broken') throw new Error('out of order');
    if (path === '/rejected') return Promise.reject(new Error('out of paper'));
    if (!path.startsWith('/echo/')) return undefined;
    return { status: 200, contentType: 'text/plain', text: `${path}${query.has('verbose')}` };
  };

  it('answers every request, whatever is asked', async () => {
    await using server = await ProbeServer.start({ port: 0, host: '127.0.0.1' }, [echo]);
    const { port } = server;
    assert.equal(await ask(port, '/echo/a%2Fb?verbose'), '200 /echo/a/btrue');
    assert.equal(await ask(port, '/other'), '404 not found');
    assert.equal(await ask(port, '/echo/', 'POST'), '405 method not allowed');
    assert.equal(await ask(port, '/echo/%'), '400 the path cannot be read');
    assert.equal(await ask(port, '//'), '400 the path cannot be read');
    assert.equal(await ask(port, '/broken'), '500 out of order');
    assert.equal(await ask(port, '/rejected'), '500 out of paper');
  });
});
