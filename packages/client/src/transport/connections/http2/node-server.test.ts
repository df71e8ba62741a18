import assert from 'node:assert/strict';
import type { ServerHttp2Stream } from 'node:http2';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { nextTurn } from '../../../lib/next-turn.ts';
import { seededRandom } from '../../../lib/random.ts';
import type { TransportHeaders } from '../../transport.ts';
import { type Call, startPool, TestServer } from '../test-rig.ts';

/*
 * Node's server uses nghttp2, an implementation of HTTP/2 and HPACK that shares nothing with this one.
 */

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const random = seededRandom(2_026);

function below(limit: number): number {
  return Math.floor(random.next() * limit);
}

/** Printable, with characters whose Huffman codes are long, and repeated often enough to be indexed. */
function headers(): Record<string, string> {
  const entries = Array.from({ length: below(15) }, () => {
    const letters = Array.from({ length: below(80) }, () => String.fromCharCode(0x20 + below(95)));
    const value = below(3) === 0 ? `repeated ${below(4)}` : letters.join('').trim();
    return [`x-${below(25)}`, value] as const;
  });
  return Object.fromEntries(entries);
}

/** Mostly small, sometimes larger than the window of a stream. */
function body(): Buffer {
  const size = below(20) === 0 ? below(3_000_000) : below(5) === 0 ? below(200_000) : below(2000);
  return Buffer.alloc(size, Buffer.from([below(256), below(256), below(256)]));
}

function sentHeaders({ rawHeaders }: Call): Record<string, string> {
  const pairs = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 && name.startsWith('x-') ? [[name, rawHeaders[index + 1] ?? ''] as const] : [],
  );
  return Object.fromEntries(pairs);
}

function receivedHeaders(all: TransportHeaders): Record<string, string> {
  const own = Object.entries(all).filter(([name]) => name.startsWith('x-'));
  return Object.fromEntries(own.map(([name, value]) => [name, String(value)]));
}

describe('an HTTP/2 session with a server of Node', () => {
  it('carries random headers and bodies in both directions, many at a time', async () => {
    const answers = new Map<string, { headers: Record<string, string>; body: Buffer }>();
    const requests = new Map<string, { headers: Record<string, string>; body: Buffer }>();
    const serve = async (call: Call): Promise<void> => {
      const expected = requests.get(call.path);
      const answer = answers.get(call.path);
      assert.ok(expected && answer);
      assert.deepEqual(sentHeaders(call), expected.headers);
      assert.ok(expected.body.equals(await buffer(call.input)));
      const stream = call.output as ServerHttp2Stream;
      if (below(5) === 0) stream.additionalHeaders({ ':status': 103, link: '</x>' });
      const waitForTrailers = below(3) === 0;
      stream.respond({ ':status': 200, ...answer.headers }, { waitForTrailers });
      if (waitForTrailers) stream.on('wantTrailers', () => stream.sendTrailers({ 'x-end': 'yes' }));
      stream.end(answer.body);
    };
    await using server = await TestServer.start('h2', (call) => void serve(call));
    await using rig = startPool('h2', server.port);
    await Promise.all(
      Array.from({ length: 300 }, async (_, index) => {
        const path = `/${index}`;
        const [request, answer] = [
          { headers: headers(), body: body() },
          { headers: headers(), body: body() },
        ];
        requests.set(path, request);
        answers.set(path, answer);
        // A few turns apart, so that streams begin while others are in the middle.
        for (let turn = below(20); turn > 0; turn -= 1) await nextTurn();
        const response = await rig.request({ method: 'POST', path, ...request });
        assert.equal(response.status, 200);
        assert.deepEqual(receivedHeaders(response.headers), answer.headers);
        const chunks: Uint8Array[] = [];
        for await (const chunk of response.body) {
          chunks.push(chunk);
          if (below(10) === 0) await nextTurn();
        }
        assert.ok(answer.body.equals(Buffer.concat(chunks)));
      }),
    );
    assert.ok(server.accepted >= 1);
  });

  it('carries every octet that a header may have', async () => {
    const octets = Array.from({ length: 256 }, (_, code) => code).filter(
      (code) => (code >= 0x20 || code === 0x09) && code !== 0x7f,
    );
    // Repeated, so that the Huffman code is the shorter one and is used for each.
    const values = octets.map((code) => `${'e'.repeat(60)}${String.fromCharCode(code)}e`);
    await using server = await TestServer.start('h2', (call) => {
      const own = Object.fromEntries(values.map((value, index) => [`x-${index}`, value]));
      call.answer(200, '', own);
    });
    await using rig = startPool('h2', server.port);
    const response = await rig.request();
    for (const [index, value] of values.entries()) {
      const expected = Buffer.from(value, 'latin1').toString('utf8');
      assert.equal(response.headers[`x-${index}`], expected);
    }
  });

  it('keeps nothing of streams that were left', async () => {
    await using server = await TestServer.start('h2', (call) => {
      call.head(200);
      call.output.write(Buffer.alloc(100_000));
    });
    await using rig = startPool('h2', server.port);
    const leave = async (): Promise<WeakRef<object>> => {
      const { body: unread } = await rig.request();
      await unread[Symbol.asyncIterator]().return?.();
      return new WeakRef(unread);
    };
    const left = [await leave(), await leave()];
    const other = await rig.request();
    await nextTurn();
    collectGarbage();
    await nextTurn();
    assert.deepEqual(
      left.map((reference) => reference.deref()),
      [undefined, undefined],
    );
    assert.equal(server.accepted, 1);
    await other.body[Symbol.asyncIterator]().return?.();
  });
});
