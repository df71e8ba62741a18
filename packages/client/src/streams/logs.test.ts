import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { isForbidden } from '../meta/error-guards.ts';
import { logBytes, logs } from './logs.ts';
import { collect, TestPodServer } from './test-pod-server.ts';

const pod = { namespace: 'default', name: 'web-0' };

interface LogServer {
  /** Answers the nth request for the log. */
  readonly log: (request: URL, response: ServerResponse, index: number) => void;
  /** The id of the running container at the nth look; undefined if it has ended. */
  readonly running?: (index: number) => string | undefined;
}

async function serveLogs({ log, running = () => 'a' }: LogServer): Promise<{
  readonly server: TestPodServer;
  readonly requests: URL[];
}> {
  const requests: URL[] = [];
  let looks = 0;
  const onRequest = ({ url = '' }: IncomingMessage, response: ServerResponse): void => {
    const request = new URL(url, 'http://server');
    if (request.pathname.endsWith('/log')) {
      requests.push(request);
      log(request, response, requests.length - 1);
      return;
    }
    const containerID = running(looks);
    looks += 1;
    const state = containerID === undefined ? { terminated: { exitCode: 0 } } : { running: {} };
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        kind: 'Pod',
        apiVersion: 'v1',
        metadata: pod,
        spec: { containers: [{ name: 'app' }] },
        status: { containerStatuses: [{ name: 'app', containerID, state }] },
      }),
    );
  };
  return { server: await TestPodServer.start(() => undefined, { onRequest }), requests };
}

const at = (stamp: string, text: string): string => `2026-01-01T00:00:${stamp}Z ${text}\n`;

describe('logs', () => {
  it('returns lines, the last one without a line end too', async () => {
    const { server, requests } = await serveLogs({
      log: (_, response) => void response.end('eins\nzwei\r\n\nvier'),
    });
    await using _server = server;
    await using client = server.client();
    const options = { container: 'app', tailLines: 4, sinceTime: new Date(0), timestamps: true };
    const lines = await collect(logs(client, pod, options));
    assert.deepEqual(lines, ['eins', 'zwei\r', '', 'vier']);
    assert.equal(
      requests[0]?.search,
      '?container=app&tailLines=4&timestamps=true&sinceTime=1970-01-01T00%3A00%3A00.000Z',
    );
  });

  it('joins lines and characters across chunks', async () => {
    const { server } = await serveLogs({
      log: (_, response) => {
        const bytes = Buffer.from('grün\nblau\n');
        let index = 0;
        const next = (): void => {
          if (index === bytes.length) response.end();
          else response.write(bytes.subarray(index, (index += 1)), () => setImmediate(next));
        };
        next();
      },
    });
    await using _server = server;
    await using client = server.client();
    assert.deepEqual(await collect(logs(client, pod)), ['grün', 'blau']);
  });

  it('returns bytes as they are', async () => {
    const sent = Buffer.from([0, 255, 10, 13, 128]);
    const { server } = await serveLogs({ log: (_, response) => void response.end(sent) });
    await using _server = server;
    await using client = server.client();
    assert.deepEqual(Buffer.concat(await collect(logBytes(client, pod))), sent);
  });

  it('throws the refusal of the server', async () => {
    const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Forbidden' };
    const { server } = await serveLogs({
      log: (_, response) => {
        response.writeHead(403, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ ...status, code: 403, message: 'no' }));
      },
    });
    await using _server = server;
    await using client = server.client();
    for (const follow of [false, true]) {
      await assert.rejects(collect(logs(client, pod, { follow })), isForbidden);
    }
  });

  it('refuses invalid numbers', async () => {
    const { server } = await serveLogs({ log: () => undefined });
    await using _server = server;
    await using client = server.client();
    assert.throws(() => logs(client, pod, { tailLines: -1 }), { name: 'OptionError' });
  });
});

describe('logs that follow', () => {
  it('continue behind the last line after a lost connection', async () => {
    const all = [
      at('01.5', 'a'),
      at('02.1', 'b'),
      at('02.2', 'c'),
      at('02.2', 'd'),
      at('03.9', 'e'),
    ];
    const { server, requests } = await serveLogs({
      log: (_, response, index) => {
        // The second answer repeats the last second, as servers do.
        if (index === 1) return void response.end([...all.slice(1), at('04', 'f')].join(''));
        response.write(all.slice(0, 3).join('') + at('02.2', 'd').slice(0, 20), () => {
          setImmediate(() => response.destroy());
        });
      },
      running: (index) => (index < 1 ? 'a' : undefined),
    });
    await using _server = server;
    await using client = server.client();
    const options = { follow: true, tailLines: 10, sinceSeconds: 60 };
    const lines = await collect(logs(client, pod, options));
    assert.deepEqual(lines, ['a', 'b', 'c', 'd', 'e', 'f']);
    const [first, second] = requests;
    assert.equal(first?.search, '?follow=true&tailLines=10&sinceSeconds=60&timestamps=true');
    assert.equal(second?.search, '?follow=true&sinceTime=2026-01-01T00%3A00%3A02Z&timestamps=true');
  });

  it('continue after a regular end while the container runs, and end with it', async () => {
    const { server, requests } = await serveLogs({
      log: (_, response, index) => {
        response.end(index === 0 ? at('01', 'a') + at('02', 'be').slice(0, -2) : at('02', 'be'));
      },
      running: (index) => (index < 2 ? 'a' : undefined),
    });
    await using _server = server;
    await using client = server.client();
    const lines = await collect(logs(client, pod, { follow: true, timestamps: true }));
    assert.deepEqual(lines, ['2026-01-01T00:00:01Z a', '2026-01-01T00:00:02Z be']);
    assert.equal(requests.length, 2);
  });

  it('end when the container was replaced', async () => {
    const { server, requests } = await serveLogs({
      log: (_, response) => void response.end(at('01', 'a')),
      running: (index) => (index === 0 ? 'a' : 'b'),
    });
    await using _server = server;
    await using client = server.client();
    assert.deepEqual(await collect(logs(client, pod, { follow: true })), ['a']);
    assert.equal(requests.length, 1);
  });

  it('count limitBytes without timestamps, over all requests', async () => {
    const { server } = await serveLogs({
      log: (_, response, index) => void response.end(at(`0${index}`, 'abc')),
    });
    await using _server = server;
    await using client = server.client();
    const lines = await collect(logs(client, pod, { follow: true, limitBytes: 6 }));
    assert.deepEqual(lines, ['abc', 'ab']);
  });

  it('end without an error when they are aborted', async () => {
    const { server } = await serveLogs({
      log: (_, response) => void response.write(at('01', 'a')),
    });
    await using _server = server;
    await using client = server.client();
    const abort = new AbortController();
    const lines: string[] = [];
    for await (const line of logs(client, pod, { follow: true, signal: abort.signal })) {
      lines.push(line);
      abort.abort();
    }
    assert.deepEqual(lines, ['a']);
  });
});
