import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { nextTurn } from 'client-ts/internal';
import { Clientset } from 'client-ts/kubernetes';
import { type CollectedEvent, EventArchive } from '@client-ts/collector';
import { hasSqlite } from '../test-events.ts';
import { run } from '../run.ts';
import { testCli, type TestCli } from '../test-cli.ts';
import { searchConnections, type SearchOptions } from './search-options.ts';
import { parseSize } from './size.ts';
import { EventWriter } from './test-writer.ts';

/** Runs the command in this process until the condition holds. */
async function collectUntil(
  cli: TestCli,
  args: readonly string[],
  isEnough: () => boolean,
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number; out: string; err: string }> {
  const stop = new AbortController();
  const { env: own } = cli.context();
  const context = cli.context({ signal: stop.signal, env: { ...own, ...env } });
  const running = run(['collect-events', ...args], context);
  const over = new AbortController();
  void running.then(() => over.abort());
  while (!isEnough() && !over.signal.aborted) await nextTurn();
  stop.abort();
  const code = await running;
  return { code, out: context.text(), err: context.errorText() };
}

function collected(path: string): readonly CollectedEvent[] {
  if (!existsSync(path)) return [];
  try {
    using archive = new EventArchive(path);
    return archive.query({}).events;
  } catch {
    // Being created.
    return [];
  }
}

function linesOf(path: string): CollectedEvent[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as CollectedEvent);
}

async function started(t: TestContext): Promise<{ cli: TestCli; writer: EventWriter }> {
  const cli = await testCli(t);
  const writer = new EventWriter(cli.server);
  t.after(() => writer[Symbol.asyncDispose]());
  return { cli, writer };
}

describe('client-ts collect-events', () => {
  it('writes JSON lines to files, and resumes', async (t) => {
    const { cli, writer } = await started(t);
    const path = join(cli.directory, 'events.ndjson');
    const args = ['--sqlite=false', '--ndjson', 'events.ndjson', '--spool', 'spool'];
    await writer.write();
    const first = await collectUntil(cli, args, () => linesOf(path).length === 1);
    assert.equal(first.code, 0);
    assert.match(first.err, /Collecting the events of https:.* into ndjson; Ctrl-C stops it\./);
    assert.match(first.err, /1 events: 1 in ndjson$/m);
    await writer.write();
    await collectUntil(cli, args, () => linesOf(path).length === 2);
    assert.deepEqual(
      linesOf(path).map(({ object }) => object.name),
      ['web-1', 'web-2'],
    );
  });

  it('writes JSON lines of one namespace to standard output', async (t) => {
    const { cli, writer } = await started(t);
    await writer.write({ message: 'for the pipe' });
    const other = ['--sqlite=false', '--ndjson', '-', '--spool', 'spool'];
    let text = '';
    const stop = new AbortController();
    const context = cli.context({ signal: stop.signal });
    const running = run(['collect-events', ...other, '-n', 'default'], context);
    while (text === '') {
      await nextTurn();
      text = context.text();
    }
    stop.abort();
    assert.equal(await running, 0);
    assert.equal((JSON.parse(text) as CollectedEvent).message, 'for the pipe');
  });

  it('sends events to an OTLP receiver, with the headers of the environment', async (t) => {
    const { cli, writer } = await started(t);
    const bodies: string[] = [];
    const seen = new Set<string>();
    const receiver = createServer((request, response) => {
      seen.add(`${request.url} ${String(request.headers['x-tenant'])}`);
      void text(request).then((body) => {
        bodies.push(body);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    t.after(() => receiver.close().closeAllConnections());
    const { port } = receiver.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=shop' };
    await writer.write({ message: 'for the receiver' });
    for (const given of [url, '-']) {
      const args = ['--sqlite=false', '--otlp', given, '--spool', `spool${given === '-' ? 1 : 2}`];
      bodies.length = 0;
      const isSent = (): boolean => bodies.some((body) => body.includes('for the receiver'));
      const { code, err } = await collectUntil(cli, args, isSent, env);
      assert.equal(code, 0, err);
      assert.match(err, /1 events: 1 in otlp$/m);
    }
    assert.deepEqual([...seen], ['/v1/logs shop']);
  });

  it('shares the events between replicas', async (t) => {
    const { cli, writer } = await started(t);
    for (let some = 0; some < 3; some += 1) await writer.write();
    const stop = new AbortController();
    const names = ['one', 'two'];
    const replicas = names.map((name) => {
      const files = ['--ndjson', `${name}.ndjson`, '--spool', `${name}.spool`];
      const args = ['--sqlite=false', ...files, '--shards', '6', '--lease', 'events'];
      return run(['collect-events', ...args], cli.context({ signal: stop.signal }));
    });
    const linesIn = (name: string): CollectedEvent[] =>
      linesOf(join(cli.directory, `${name}.ndjson`));
    const has = (): boolean => {
      const uids = new Set(names.flatMap(linesIn).map(({ uid }) => uid));
      return [...writer.written.keys()].every((uid) => uids.has(uid));
    };
    await using client = new Clientset(cli.server.config);
    const holders = async (): Promise<string[]> => {
      const { items } = await client.coordinationV1.leases('default').list();
      const shards = items.filter(({ metadata }) => metadata.name.startsWith('events-shard-'));
      return shards.map(({ spec }) => spec?.holderIdentity ?? '');
    };
    const isShared = (held: readonly string[]): boolean =>
      held.length === 6 && !held.includes('') && new Set(held).size === 2;
    while (!isShared(await holders())) await nextTurn();
    for (let more = 0; more < 3; more += 1) await writer.write();
    while (!has()) await nextTurn();
    stop.abort();
    assert.deepEqual(await Promise.all(replicas), [0, 0]);
  });

  it('names usage errors', async (t) => {
    const cli = await testCli(t);
    for (const [args, message] of [
      [['--sqlite=false'], /no destination/],
      [['--max-size', 'big'], /--max-size must be a size such as 500MB or 2GiB, not big/],
      [['--elasticsearch', 'search:9200'], /--elasticsearch must be a URL/],
      [['--queue-size', '0'], /at least 1/],
      [['--shards', '4'], /--shards requires --sqlite=false/],
      [['--sqlite=false', '--otlp', 'otel:4317'], /url: must be a URL such as http/],
    ] as const) {
      const { code, err } = await cli.run('collect-events', ...args);
      assert.equal(code, 2, args.join(' '));
      assert.match(err, message);
    }
  });

  it('reports a server that forbids it', async (t) => {
    const { cli } = await started(t);
    cli.server.faults.add({ match: { path: /events/ }, fault: { kind: 'status', code: 403 } });
    const { code, err } = await cli.run('collect-events', '--sqlite=false', '--ndjson', '-');
    assert.equal(code, 1);
    assert.match(err, /^client-ts collect-events: /m);
  });
});

describe('credentials for search servers', () => {
  const nothing: SearchOptions = {
    elasticsearch: 'https://search.example:9200',
    opensearch: undefined,
    index: 'events',
    dataStream: false,
    user: undefined,
    password: undefined,
    apiKey: undefined,
    credentialsFile: undefined,
    caFile: undefined,
    insecure: false,
  };
  const env = {
    ELASTICSEARCH_USERNAME: 'in',
    ELASTICSEARCH_PASSWORD: 'environment',
    OPENSEARCH_API_KEY: 'other',
  };

  async function credentials(options: Partial<SearchOptions>, variables = {}): Promise<unknown> {
    const [connection] = await searchConnections({ ...nothing, ...options }, { env: variables });
    return connection?.credentials;
  }

  it('come from flags, a file or the environment, in this order', async (t) => {
    const { directory } = await testCli(t);
    const file = join(directory, 'credentials');
    writeFileSync(file, 'me:with:colons\n');
    assert.deepEqual(await credentials({}), undefined);
    assert.deepEqual(await credentials({}, env), { username: 'in', password: 'environment' });
    assert.deepEqual(
      await credentials({ elasticsearch: undefined, opensearch: 'http://other' }, env),
      { apiKey: 'other' },
    );
    const inFile = { username: 'me', password: 'with:colons' };
    assert.deepEqual(await credentials({ credentialsFile: file }, env), inFile);
    assert.deepEqual(await credentials({ credentialsFile: file, user: 'u', password: 'p' }), {
      username: 'u',
      password: 'p',
    });
    assert.deepEqual(await credentials({ user: 'u' }, env), {
      username: 'u',
      password: 'environment',
    });
    assert.deepEqual(await credentials({ apiKey: 'k', credentialsFile: file }, env), {
      apiKey: 'k',
    });
    writeFileSync(file, 'ApiKey abc=\n');
    assert.deepEqual(await credentials({ credentialsFile: file }), { apiKey: 'abc=' });
    writeFileSync(file, 'invalid');
    await assert.rejects(credentials({ credentialsFile: file }), /must have one line/);
  });

  it('come with a CA', async (t) => {
    const { directory } = await testCli(t);
    const caFile = join(directory, 'ca.pem');
    writeFileSync(caFile, 'PEM');
    const [connection] = await searchConnections(
      { ...nothing, caFile, insecure: true },
      { env: {} },
    );
    assert.equal(connection?.ca, 'PEM');
    assert.equal(connection.insecure, true);
  });
});

describe('sizes', () => {
  it('are parsed in decimal and binary units', () => {
    assert.equal(parseSize('--x', '4096'), 4096);
    assert.equal(parseSize('--x', '1.5GiB'), 1.5 * 2 ** 30);
    assert.equal(parseSize('--x', '500MB'), 500e6);
    assert.equal(parseSize('--x', '2 k'), 2048);
    assert.equal(parseSize('--x', undefined), undefined);
    assert.throws(() => parseSize('--x', '-1'), /--x must be a size/);
  });
});

/** Counting is much faster than reading. */
function countOf(path: string): number {
  if (!existsSync(path)) return 0;
  using archive = new EventArchive(path);
  return archive.size;
}

/** The command in its own process, after it has started to collect. */
async function spawnCollector(cli: TestCli): Promise<ChildProcess> {
  const here = import.meta.url;
  const main = fileURLToPath(new URL(`../main${here.endsWith('.ts') ? '.ts' : '.js'}`, here));
  const args = [main, 'collect-events', '--kubeconfig', cli.kubeconfig];
  const child = spawn(process.execPath, args, {
    cwd: cli.directory,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // Read to the end: a command stops when its output has no reader.
  await new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk) => {
      if (String(chunk).includes('Collecting')) resolve();
    });
  });
  return child;
}

function withSqlite(): void {
  describe('the database of collect-events', () => {
    it('is queried by client-ts events', async (t) => {
      const { cli, writer } = await started(t);
      const path = join(cli.directory, 'events.db');
      await writer.write();
      await writer.write({ type: 'Warning', reason: 'FailedScheduling', message: 'no room' });
      const { err } = await collectUntil(cli, [], () => collected(path).length === 2);
      assert.match(err, /Query them with: client-ts events --file events\.db/);
      const table = await cli.run('events', '--type', 'warning');
      assert.equal(table.code, 0);
      assert.match(table.out, /^NAMESPACE +LAST SEEN +TYPE +REASON +OBJECT +MESSAGE\n/);
      assert.match(table.out, /\ndefault +\S+ +Warning +FailedScheduling +pod\/web-2 +no room\n$/);
      const json = await cli.run('events', '--object', 'pod/web-1', '-o', 'json');
      const { items } = JSON.parse(json.out) as { items: CollectedEvent[] };
      assert.deepEqual(
        items.map(({ message }) => message),
        ['Pulled image number 1'],
      );
      const lines = await cli.run('events', '--grep', 'IMAGE', '-o', 'ndjson');
      assert.equal(lines.out.trim().split('\n').length, 1);
      const none = await cli.run('events', '--since', '1h');
      assert.deepEqual([none.code, none.out, none.err], [0, '', 'No events found.\n']);
    });

    it('has every event once with its last count, after any number of kills', async (t) => {
      const { cli, writer } = await started(t);
      const path = join(cli.directory, 'events.db');
      await writer.write();
      for (let round = 0; round < 3; round += 1) {
        const child = await spawnCollector(cli);
        const exit = once(child, 'exit');
        // It has listed when it has this one; earlier deletions are unknown to it.
        while (countOf(path) === 0) await nextTurn();
        const before = countOf(path);
        // Killed in the middle of writing.
        while (countOf(path) < before + 10) await writer.write();
        child.kill('SIGKILL');
        await exit;
        for (let more = 0; more < 10; more += 1) await writer.write();
      }
      const child = await spawnCollector(cli);
      const exit = once(child, 'exit');
      while (countOf(path) < writer.written.size) await nextTurn();
      const isComplete = (): boolean => {
        const counts = new Map(collected(path).map(({ uid, count }) => [uid, count]));
        return [...writer.written].every(([uid, count]) => counts.get(uid) === count);
      };
      while (!isComplete()) await nextTurn();
      child.kill('SIGTERM');
      await exit;
      const events = collected(path);
      assert.equal(events.length, writer.written.size, 'none twice, none from elsewhere');
      using archive = new EventArchive(path);
      assert.deepEqual(archive.query({}).gaps, []);
    });
  });
}

describe('on a Node with SQLite', { skip: hasSqlite ? false : 'needs Node 22.16' }, withSqlite);

if (!hasSqlite) {
  it('reports a Node without SQLite', async (t) => {
    const cli = await testCli(t);
    const { code, err } = await cli.run('collect-events');
    assert.equal(code, 1);
    assert.match(err, /Use Node 22\.16 or newer/);
  });
}
