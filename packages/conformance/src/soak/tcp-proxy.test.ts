import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';

import { TcpProxy } from './tcp-proxy.ts';

describe('TcpProxy', () => {
  let echo: Server;
  let proxy: TcpProxy;

  before(async () => {
    echo = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.pipe(socket);
    });
    echo.listen(0, '127.0.0.1');
    await once(echo, 'listening');
    proxy = await TcpProxy.start((echo.address() as AddressInfo).port);
  });
  after(async () => {
    await proxy[Symbol.asyncDispose]();
    echo.close();
  });

  async function open(): Promise<Socket> {
    const socket = connect(proxy.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('hello');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    assert.equal(answer.toString(), 'hello');
    return socket;
  }

  it('passes bytes on, and ends connections on cut', async () => {
    const before = proxy.connections;
    const socket = await open();
    assert.equal(proxy.connections, before + 1);
    proxy.cut();
    await once(socket, 'close');
    const again = await open();
    again.destroy();
  });

  it('rejects connections while blocked', async () => {
    const socket = await open();
    proxy.block();
    await once(socket, 'close');
    const refused = connect(proxy.port, '127.0.0.1');
    refused.on('error', () => undefined);
    await once(refused, 'close');
    proxy.unblock();
    const again = await open();
    again.destroy();
  });

  it('keeps frozen connections open and silent, and passes new ones', async () => {
    const dead = await open();
    proxy.freeze();
    let heard = 0;
    dead.on('data', () => (heard += 1));
    dead.write('are you there');
    const alive = await open();
    // A round trip over another connection, after which the echo would have arrived.
    alive.write('are you');
    await once(alive, 'data');
    assert.equal(heard, 0);
    assert.equal(dead.destroyed, false);
    alive.destroy();
    proxy.cut();
    await once(dead, 'close');
  });
});
