import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { constants, createGzip } from 'node:zlib';

import { nextTurn } from 'client-ts/internal';
import { VirtualClock } from 'client-ts/testing';

import {
  connectVictim,
  failsTyped,
  type HostileCall,
  settled,
  startHostileServer,
  startRawServer,
} from './test-hostile-server.ts';
import { choices } from './test-transports.ts';

const MIB = 1024 * 1024;
const JSON_HEADERS = { 'content-type': 'application/json' };

/** Writes as fast as possible until the other side is gone. */
async function writeForEver(output: HostileCall['output'], chunk: Buffer | string): Promise<void> {
  const gone = once(output, 'close');
  while (!output.destroyed && output.writable) {
    if (!output.write(chunk)) await Promise.race([once(output, 'drain'), gone]);
  }
}

for (const protocol of choices) {
  const name = protocol === 'http1' ? 'HTTP/1.1' : 'HTTP/2';

  describe(`a hostile server, ${name}`, () => {
    it('may name headers like members of Object.prototype', async () => {
      const names = ['constructor', '__proto__', 'valueof', 'hasownproperty', 'tostring'];
      await using server = await startHostileServer((call) => {
        const pairs = names.map((header) => [header, ['x', 'y']] as const);
        call.respond(200, { ...JSON_HEADERS, ...Object.fromEntries(pairs) });
        call.output.end('{"kind":"PodList"}');
      });
      await using victim = connectVictim(server, { protocol });
      assert.deepEqual(await victim.get(), { kind: 'PodList' });
    });

    it('may send too many headers', async () => {
      await using server = await startHostileServer((call) => {
        const huge = Array.from({ length: 400 }, (_, index) => [`x-${index}`, 'a'.repeat(8000)]);
        call.respond(200, { ...JSON_HEADERS, ...Object.fromEntries(huge) });
        call.output.end('{}');
      });
      await using victim = connectVictim(server, { protocol });
      const code = await failsTyped(victim.get());
      assert.match(
        code,
        /^(TRANSPORT_PROTOCOL|TRANSPORT_CONNECTION_RESET|TRANSPORT_STREAM_REFUSED)$/,
      );
    });

    it('may send an endless body', async () => {
      const left: Promise<unknown>[] = [];
      await using server = await startHostileServer((call) => {
        call.respond(200, JSON_HEADERS);
        left.push(writeForEver(call.output, 'x'.repeat(65_536)));
      });
      await using victim = connectVictim(server, { protocol, maxResponseBytes: 4 * MIB });
      const before = process.memoryUsage().rss;
      assert.equal(await failsTyped(victim.get()), 'REST_RESPONSE_TOO_LARGE');
      await Promise.all(left);
      assert.ok(process.memoryUsage().rss - before < 200 * MIB);
    });

    it('may send a small body that decompresses to a large one', async () => {
      const bomb = createGzip({ level: constants.Z_BEST_SPEED });
      const packed: Buffer[] = [];
      bomb.on('data', (chunk: Buffer) => packed.push(chunk));
      for (let mebibyte = 0; mebibyte < 400; mebibyte += 1) {
        if (!bomb.write(Buffer.alloc(MIB, ' '))) await once(bomb, 'drain');
      }
      bomb.end();
      await once(bomb, 'end');
      const body = Buffer.concat(packed);
      assert.ok(body.length < 4 * MIB);
      await using server = await startHostileServer((call) => {
        call.respond(200, { ...JSON_HEADERS, 'content-encoding': 'gzip' });
        call.output.end(body);
      });
      await using victim = connectVictim(server, { protocol, maxResponseBytes: 8 * MIB });
      const before = process.memoryUsage().rss;
      assert.equal(await failsTyped(victim.get()), 'REST_RESPONSE_TOO_LARGE');
      assert.ok(process.memoryUsage().rss - before < 200 * MIB);
    });

    it('may break every connection', async () => {
      const clock = new VirtualClock();
      await using server = await startHostileServer((call) => call.cut());
      await using victim = connectVictim(server, { protocol, clock, maxRetries: 10 });
      assert.equal(await failsTyped(settled(clock, victim.get())), 'TRANSPORT_CONNECTION_RESET');
      assert.ok(server.accepted() <= 11, `${server.accepted()} connections`);
    });

    it('may not answer at all', async () => {
      const clock = new VirtualClock();
      await using server = await startHostileServer(() => undefined);
      await using victim = connectVictim(server, { protocol, clock, timeout: 5000 });
      assert.equal(await failsTyped(settled(clock, victim.get())), 'TRANSPORT_TIMEOUT');
    });

    it('may send pages, partial bodies and wrong lengths', async () => {
      const answers: readonly [Record<string, string>, string][] = [
        [{ 'content-type': 'text/html' }, '<html>Log in</html>'],
        [JSON_HEADERS, '<html>Log in</html>'],
        [JSON_HEADERS, '{"kind":"PodList","items":[{"meta'],
        [JSON_HEADERS, ''],
        [JSON_HEADERS, 'null'],
        [{ ...JSON_HEADERS, 'content-length': '100' }, '{"kind":"PodList"}'],
        [{ ...JSON_HEADERS, 'content-encoding': 'gzip' }, 'not gzip'],
        [{ 'content-type': 'application/vnd.kubernetes.protobuf' }, 'k8s\0\xff\xff\xff'],
      ];
      const waiting = [...answers];
      await using server = await startHostileServer((call) => {
        const [headers, body] = waiting.shift() ?? assert.fail('there are more requests');
        call.respond(200, headers);
        call.output.end(body, () => {
          if (headers['content-length'] !== undefined) call.cut();
        });
      });
      await using victim = connectVictim(server, { protocol });
      for (const [, body] of answers) {
        assert.match(await failsTyped(victim.get()), /^[A-Z_]+$/, body);
      }
    });

    it('may send an endless watch frame, and invalid events', async () => {
      const bodies = [
        `{"type":"ADDED","object":{"a":"${'x'.repeat(MIB)}`,
        '{"type":"ADDED","object":{},"x":garbage}\n',
        '{"a":'.repeat(300_000),
        '{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","details":"none","code":{}}}\n',
      ];
      const waiting = [...bodies];
      await using server = await startHostileServer((call) => {
        call.respond(200, JSON_HEADERS);
        call.output.write(waiting.shift() ?? '');
        if (waiting.length === bodies.length - 1)
          void writeForEver(call.output, 'x'.repeat(65_536));
      });
      await using victim = connectVictim(server, { protocol });
      const codes: string[] = [];
      for (const _ of bodies) {
        const watch = victim.rest.get().resource('pods').watch({ maxFrameBytes: MIB });
        codes.push(await failsTyped(watch.next()));
        await watch.return();
      }
      assert.deepEqual(codes, [
        'CODEC_FRAME_TOO_LARGE',
        'CODEC_MALFORMED_JSON',
        'CODEC_FRAME_TOO_LARGE',
        'API_ERROR',
      ]);
    });

    it('may send garbage instead of HTTP', async () => {
      const alpn = protocol === 'http1' ? 'http/1.1' : 'h2';
      for (const garbage of [
        Buffer.alloc(100_000, 0xff),
        Buffer.alloc(100_000),
        Buffer.from('HTTP/9.9 ??? \r\n\r\n'),
        Buffer.from('\0\0\x06\x04\0\0\0\0\x01abcdef', 'latin1'),
      ]) {
        await using server = await startRawServer([alpn], (socket) => {
          socket.write(garbage);
          socket.on('data', () => socket.write(garbage));
        });
        await using victim = connectVictim(server, { protocol });
        const code = await failsTyped(victim.get());
        assert.match(
          code,
          /^(TRANSPORT_PROTOCOL|TRANSPORT_CONNECTION_RESET|TRANSPORT_CONNECTION_LOST)$/,
        );
        assert.equal(server.accepted(), 1);
      }
    });
  });
}

describe('a hostile server, HTTP/1.1 only', () => {
  it('may send endless headers', async () => {
    await using server = await startRawServer(['http/1.1'], (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const more = (): void => {
        while (!socket.destroyed && socket.write(`x: ${'a'.repeat(60_000)}\r\n`));
      };
      socket.on('drain', more);
      socket.once('data', more);
    });
    await using victim = connectVictim(server, { protocol: 'http1' });
    assert.equal(await failsTyped(victim.get()), 'TRANSPORT_PROTOCOL');
  });
});

describe('a hostile server, HTTP/2 only', () => {
  it('may allow no streams', async () => {
    const clock = new VirtualClock();
    await using server = await startHostileServer(
      (call) => {
        const { output } = call;
        if ('close' in output) output.close(7);
      },
      { settings: { maxConcurrentStreams: 0 } },
    );
    await using victim = connectVictim(server, { clock, maxRetries: 10 });
    assert.equal(await failsTyped(settled(clock, victim.get())), 'TRANSPORT_NO_STREAMS');
    assert.ok(server.accepted() <= 12, `${server.accepted()} connections`);
  });

  it('may send GOAWAY on every connection', async () => {
    const clock = new VirtualClock();
    await using server = await startHostileServer(() => undefined, {
      onSession: (session) => session.goaway(0, 0),
    });
    await using victim = connectVictim(server, { clock, maxRetries: 5 });
    const code = await failsTyped(settled(clock, victim.get()));
    assert.match(code, /^(TRANSPORT_STREAM_REFUSED|TRANSPORT_CONNECTION_RESET)$/);
    assert.ok(server.accepted() <= 12, `${server.accepted()} connections`);
  });

  it('may reset every stream', async () => {
    const clock = new VirtualClock();
    await using server = await startHostileServer(({ output }) => {
      if ('close' in output) output.close(2);
    });
    await using victim = connectVictim(server, { clock, maxRetries: 10 });
    assert.match(await failsTyped(settled(clock, victim.get())), /^[A-Z_]+$/);
    assert.ok(server.accepted() <= 11, `${server.accepted()} connections`);
    while (server.open() > 1) await nextTurn();
  });
});
