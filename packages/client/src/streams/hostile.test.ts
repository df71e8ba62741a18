import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { exec } from './exec.ts';
import { PodDialer } from './pod-dialer.ts';
import { exit, exitMessage, onChannel, TestPodServer } from './test-pod-server.ts';

const pod = { namespace: 'default', name: 'web-0' };

/** The socket below a WebSocket, to write frames that `ws` would not. */
function rawSocket(socket: WebSocket): Socket {
  return Reflect.get(socket, '_socket') as Socket;
}

/** What a server may do wrong after a regular handshake, and the code of the error. */
const wrongs: readonly (readonly [string, string, (socket: WebSocket) => void])[] = [
  ['a text message', 'STREAMS_PROTOCOL', (socket) => socket.send('hello')],
  ['a message without a channel', 'STREAMS_PROTOCOL', (socket) => socket.send(Buffer.alloc(0))],
  ['an unknown channel', 'STREAMS_PROTOCOL', (socket) => socket.send(onChannel(9, 'x'))],
  ['stdin', 'STREAMS_PROTOCOL', (socket) => socket.send(onChannel(0, 'x'))],
  ['a close signal for nothing', 'STREAMS_PROTOCOL', (socket) => socket.send(onChannel(255))],
  ['a Status that is a list', 'STREAMS_PROTOCOL', (socket) => socket.send(onChannel(3, '[]'))],
  [
    'a Status that is cut',
    'STREAMS_PROTOCOL',
    (socket) => {
      socket.send(exitMessage(1).subarray(0, 10));
      socket.close(1000);
    },
  ],
  [
    'an endless Status',
    'STREAMS_PROTOCOL',
    (socket) => {
      socket.send(onChannel(3, '{'.repeat(2 * 1024 * 1024)));
    },
  ],
  [
    'a reserved opcode',
    'STREAMS_PROTOCOL',
    (socket) => void rawSocket(socket).write(Buffer.of(0x83, 0)),
  ],
  [
    'a masked frame',
    'STREAMS_PROTOCOL',
    (socket) => void rawSocket(socket).write(Buffer.of(0x82, 0x81, 1, 2, 3, 4, 5)),
  ],
  [
    'a compressed frame that was not negotiated',
    'STREAMS_PROTOCOL',
    (socket) => void rawSocket(socket).write(Buffer.of(0xc2, 0x01, 1)),
  ],
  [
    'a frame of 17 MiB',
    'STREAMS_FRAME_TOO_LARGE',
    (socket) => void rawSocket(socket).write(Buffer.of(0x82, 127, 0, 0, 0, 0, 1, 16, 0, 0)),
  ],
  [
    'a frame of 2 to the 63',
    'STREAMS_FRAME_TOO_LARGE',
    (socket) => void rawSocket(socket).write(Buffer.of(0x82, 127, 128, 0, 0, 0, 0, 0, 0, 0)),
  ],
  [
    'half a frame',
    'STREAMS_CONNECTION_LOST',
    (socket) => void rawSocket(socket).end(Buffer.of(0x82, 100, 1)),
  ],
  ['a close frame with an error', 'STREAMS_CONNECTION_LOST', (socket) => socket.close(1008, 'no')],
];

describe('a session with a server that sends', () => {
  for (const [what, code, wrong] of wrongs) {
    it(`${what} fails with ${code}`, async () => {
      await using server = await TestPodServer.start(wrong);
      await using client = server.client();
      const session = await exec(client, pod, ['ls']);
      await assert.rejects(session.exited, { name: 'StreamsError', code });
      assert.ok(session.stdout.destroyed);
    });
  }

  it('the Status and resets the connection, without reading the input, has an exit code', async () => {
    await using server = await TestPodServer.start((socket) => {
      const raw = rawSocket(socket);
      raw.pause();
      socket.send(exitMessage(3), () => raw.resetAndDestroy());
    });
    await using client = server.client();
    const session = await exec(client, pod, ['head'], { stdin: Buffer.alloc(20_000_000) });
    assert.equal((await session.exited).exitCode, 3);
  });

  it('close signals, an end and more output ends once', async () => {
    await using server = await TestPodServer.start((socket) => {
      socket.send(onChannel(1, 'begin'));
      for (const channel of [1, 1, 2, 7]) socket.send(Buffer.of(255, channel));
      socket.send(onChannel(1, 'late'));
      socket.send(exitMessage(0));
      socket.send(onChannel(2, 'later'));
      exit(socket, 1);
    });
    await using client = server.client();
    const session = await exec(client, pod, ['ls']);
    const { exitCode, stdout, stderr } = await session.output();
    assert.deepEqual({ exitCode, stdout, stderr }, { exitCode: 0, stdout: 'begin', stderr: '' });
  });
});

describe('a handshake', () => {
  const answers: readonly (readonly [string, string, string])[] = [
    ['is not an upgrade', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', 'REST_NOT_UPGRADED'],
    [
      'is a redirect',
      'HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n',
      'API_ERROR',
    ],
    [
      'has a wrong key',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: x\r\n\r\n',
      'STREAMS_HANDSHAKE',
    ],
    [
      'is another upgrade',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n',
      'STREAMS_HANDSHAKE',
    ],
    ['is not HTTP', 'hello\r\n\r\n', 'TRANSPORT_PROTOCOL'],
  ];
  for (const [what, answer, code] of answers) {
    it(`that ${what} fails with ${code}`, async () => {
      await using server = await TestPodServer.start(() => undefined, {
        onUpgrade: (_, socket) => {
          socket.end(answer);
          return true;
        },
      });
      await using client = server.client();
      await assert.rejects(exec(client, pod, ['ls']), { code });
    });
  }

  for (const protocols of [[], ['v3.channel.k8s.io']]) {
    it(`with the protocols [${protocols.join()}] fails`, async () => {
      await using server = await TestPodServer.start(() => undefined, { protocols });
      await using client = server.client();
      await assert.rejects(exec(client, pod, ['ls']), { code: 'STREAMS_SUBPROTOCOL' });
    });
  }
});

describe('a tunnel with a server that sends', () => {
  const frames: readonly (readonly [string, Buffer])[] = [
    ['another version of SPDY', Buffer.of(0x80, 2, 0, 2, 0, 0, 0, 4, 0, 0, 0, 1)],
    ['a huge control frame', Buffer.of(0x80, 3, 0, 2, 0, 255, 255, 255)],
    ['a short reset', Buffer.of(0x80, 3, 0, 3, 0, 0, 0, 4, 0, 0, 0, 3)],
  ];
  for (const [what, frame] of frames) {
    it(`${what} fails`, async () => {
      const onRequest = { kind: 'Pod', apiVersion: 'v1', metadata: pod };
      await using server = await TestPodServer.start((socket) => socket.send(frame), {
        protocols: ['SPDY/3.1+portforward.k8s.io'],
        onRequest: (_, response) =>
          void response
            .setHeader('content-type', 'application/json')
            .end(JSON.stringify(onRequest)),
      });
      await using client = server.client();
      await using dialer = new PodDialer(client, pod);
      const connection = await dialer.connect(80);
      const error = await new Promise<Error>((resolve) => connection.once('error', resolve));
      assert.equal(Reflect.get(error, 'code'), 'STREAMS_CONNECTION_LOST');
      assert.equal(Reflect.get(Object(error.cause), 'code'), 'STREAMS_PROTOCOL');
    });
  }
});
