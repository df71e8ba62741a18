import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, it } from 'node:test';
import { type Endpoint, ProbeServer } from './probe-server.ts';

describe('ProbeServer', () => {
  /** Sends the path as it is, which `fetch` would not. */
  const ask = (port: number, path: string, method = 'GET') =>
    new Promise<string>((resolve, reject) => {
      const sent = request({ port, path, method }, async (response) => {
        let text = '';
        for await (const chunk of response.setEncoding('utf8')) text += chunk;
        resolve(`${response.statusCode} ${text.trim()}`);
      });
      sent.on('error', reject).end();
    });

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
