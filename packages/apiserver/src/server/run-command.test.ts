import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

import { parse } from 'yaml';

import { runCommand } from './run-command.ts';

describe('runCommand', () => {
  let workingDirectory: string;
  before(() => {
    workingDirectory = mkdtempSync(join(tmpdir(), 'client-ts-command-'));
  });
  after(() => rmSync(workingDirectory, { recursive: true, force: true }));

  /** Runs the command, calls `use` with its first line of output, then stops it. */
  const run = async (
    args: readonly string[],
    use: (text: string) => Promise<void> = async () => undefined,
  ): Promise<{ code: number; out: string; err: string }> => {
    const stop = new AbortController();
    let out = '';
    let err = '';
    let used: Promise<void> | undefined;
    const code = await runCommand(args, {
      out: (line) => {
        out += `${line}\n`;
        used ??= use(line).finally(() => stop.abort());
      },
      err: (line) => {
        err += `${line}\n`;
      },
      signal: stop.signal,
      workingDirectory,
    });
    await used;
    return { code, out, err };
  };

  it('serves, writes a kubeconfig that only its owner can read, and stops cleanly', async () => {
    const { code, out, err } = await run(
      ['--kubeconfig-out', 'a/k', '--token', 't0ken'],
      async () => {
        const path = join(workingDirectory, 'a/k');
        assert.equal(statSync(path).mode & 0o777, 0o600);
        const config = parse(readFileSync(path, 'utf8')) as {
          clusters: { cluster: { server: string } }[];
          users: { user: { token: string } }[];
        };
        assert.match(config.clusters[0]?.cluster.server ?? '', /^https:\/\/127\.0\.0\.1:\d+$/);
        assert.equal(config.users[0]?.user.token, 't0ken');
      },
    );
    assert.equal(code, 0);
    assert.equal(err, '');
    assert.match(out, /export KUBECONFIG='.*a\/k'\n +kubectl get namespaces/);
    assert.doesNotMatch(out, /t0ken/);
  });

  it('prints its help', async () => {
    const { code, out } = await run(['--help']);
    assert.equal(code, 0);
    assert.match(out, /--kubeconfig-out FILE/);
  });

  it('rejects invalid arguments', async () => {
    const nonsense = [
      ['--port', 'x'],
      ['--port', '70000'],
      ['--authorization', 'maybe'],
      ['--kubernetes-version', '1.33'],
      ['--runtime-config', 'api/all=maybe'],
      ['--own-controllers', 'job-controller'],
      ['--enable-admission-plugins', 'ServiceAcount'],
      ['--nope'],
      ['word'],
    ];
    for (const args of nonsense) {
      const { code, err } = await run(args);
      assert.equal(code, 2, args.join(' '));
      assert.match(err, /Usage:/);
    }
  });

  it('reports why it cannot start', async () => {
    const occupied = createServer().listen(0, '127.0.0.1');
    await once(occupied, 'listening');
    const { port } = occupied.address() as { port: number };
    const { code, err } = await run(['--port', String(port)]);
    occupied.close();
    assert.equal(code, 1);
    assert.match(
      err,
      new RegExp(`cannot listen on 127.0.0.1:${port}: .*EADDRINUSE.*\\nhint: Choose another port`),
    );
  });
});
