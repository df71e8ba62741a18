import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inspect } from '@client-ts/inspector';
import { testContext } from '../frame/test-context.ts';
import { run } from '../run.ts';

const SESSION = new URL('../../../inspector/testdata/sample.session', import.meta.url);

function directory(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'client-ts-inspect-'));
  t.after(() => rmSync(path, { recursive: true }));
  return path;
}

/** Returns the status of an address that has a token. */
async function statusOf(url: string): Promise<number> {
  return (await fetch(url, { redirect: 'manual' })).status;
}

describe('client-ts inspect', () => {
  it('prints an address with a new token for a running program: the only one, by pid or by url', async (t) => {
    const env = { XDG_RUNTIME_DIR: directory(t) };
    await using page = await inspect({ env, program: 'operator' });
    const calls = [[], ['--pid', String(process.pid)], ['--url', page.origin]];
    for (const args of calls) {
      const context = testContext({ env });
      assert.equal(await run(['inspect', ...args], context), 0, context.errorText());
      const [url = ''] = context.output;
      assert.ok(url.startsWith(`${page.origin}/?token=`), url);
      assert.equal(await statusOf(url), 303);
      assert.equal(await statusOf(url), 401);
    }
  });

  it('passes on an address with a token unused, and starts a browser', async (t) => {
    const folder = directory(t);
    await using page = await inspect({ discovery: false });
    const opened = join(folder, 'opened');
    const browser = join(folder, 'browser');
    writeFileSync(browser, `#!/bin/sh\necho "$1" > ${opened}.part\nmv ${opened}.part ${opened}\n`);
    chmodSync(browser, 0o755);
    const { url } = page;
    const context = testContext({ env: { XDG_RUNTIME_DIR: folder, BROWSER: browser } });
    assert.equal(await run(['inspect', '--url', url, '--open'], context), 0, context.errorText());
    assert.deepEqual(context.output, [url]);
    while (!existsSync(opened)) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(readFileSync(opened, 'utf8').trim(), url);
    assert.equal(await statusOf(url), 303);
  });

  it('stays, as a process of its own, until it is interrupted', async () => {
    const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
    const child = spawn(process.execPath, [main, 'inspect', fileURLToPath(SESSION)], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const exited = once(child, 'exit');
    const [url] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    assert.equal(await statusOf(url.trim()), 303);
    child.kill('SIGINT');
    await exited;
  });

  it('serves a recorded session until it is stopped', async (t) => {
    const stop = new AbortController();
    const env = { XDG_RUNTIME_DIR: directory(t) };
    const context = testContext({ env, signal: stop.signal });
    const printed = new Promise<string>((resolve) => {
      const out = context.out.bind(context);
      context.out = (line) => {
        out(line);
        resolve(line);
      };
    });
    const running = run(['inspect', SESSION.pathname], context);
    const url = await printed;
    assert.equal(await statusOf(url), 303);
    stop.abort();
    await running;
    await assert.rejects(statusOf(url));
    assert.match(context.errorText(), /records of "sample operator"/);
  });

  it('says what is wrong', async (t) => {
    const folder = directory(t);
    const env = { XDG_RUNTIME_DIR: folder };
    const other = createServer((_, response) => response.end('hello'));
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    t.after(() => other.close());
    const { port } = other.address() as AddressInfo;
    writeFileSync(join(folder, 'no.session'), 'hello\n');
    const cases: [string[], RegExp][] = [
      [[], /no running program serves an inspector/],
      [['--pid', '1'], /process 1 serves no inspector/],
      [['--url', `http://127.0.0.1:${port}`], /is not an inspector/],
      [['--url', 'nonsense'], /"nonsense" is not an address/],
      [['--url', 'http://127.0.0.1:1', '--pid', '1'], /cannot be combined/],
      [['missing.session'], /cannot read "missing.session"/],
      [['no.session'], /line 1 is not JSON/],
    ];
    for (const [args, message] of cases) {
      const context = testContext({ env, workingDirectory: folder });
      assert.notEqual(await run(['inspect', ...args], context), 0);
      assert.match(context.errorText(), message);
    }
  });
});
