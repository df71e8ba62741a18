import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { packTar, type TarEntry } from 'modern-tar';
import type { WebSocket } from 'ws';
import { copyFrom, copyTo } from './copy.ts';
import { exit, onChannel, TestPodServer } from './test-pod-server.ts';

const pod = { namespace: 'default', name: 'web-0' };

/** Runs the command of an exec on this machine. */
function runLocally(socket: WebSocket, url: string): void {
  const [program = '', ...words] = new URL(url, 'http://server').searchParams.getAll('command');
  const child = spawn(program, words);
  child.stdin.on('error', () => undefined);
  socket.on('message', (message: Buffer) => {
    if (message[0] === 0) child.stdin.write(message.subarray(1));
    else if (message[0] === 255) child.stdin.end();
  });
  child.stdout.on('data', (data: Buffer) => socket.send(onChannel(1, data)));
  child.stderr.on('data', (data: Buffer) => socket.send(onChannel(2, data)));
  socket.on('close', () => child.kill());
  child.on('close', (code) => exit(socket, code ?? 1));
}

async function folder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'copy-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** A tree with everything that a copy keeps. */
async function makeTree(path: string): Promise<void> {
  await mkdir(join(path, 'tree', 'deep', 'empty'), { recursive: true });
  await writeFile(join(path, 'tree', 'run.sh'), 'echo hello');
  await chmod(join(path, 'tree', 'run.sh'), 0o755);
  await writeFile(join(path, 'tree', 'deep', 'nothing'), '');
  await writeFile(join(path, 'tree', 'deep', 'large'), Buffer.alloc(3_000_000, 'x'));
  await symlink('../run.sh', join(path, 'tree', 'deep', 'link'));
  const long = 'a'.repeat(120);
  await writeFile(join(path, 'tree', long), 'long');
  for (const file of ['run.sh', 'deep/large', 'deep', '.']) {
    await utimes(join(path, 'tree', file), 1_600_000_000, 1_600_000_000);
  }
}

async function listing(path: string, below = ''): Promise<string[]> {
  const stats = await lstat(join(path, below));
  const mode = (stats.mode & 0o777).toString(8);
  if (stats.isSymbolicLink()) return [`${below} -> ${await readlink(join(path, below))}`];
  if (stats.isFile()) {
    const { length } = await readFile(join(path, below));
    return [`${below} ${mode} ${length}`];
  }
  const children = (await readdir(join(path, below))).toSorted();
  const nested = await Promise.all(children.map((child) => listing(path, join(below, child))));
  return [`${below}/ ${mode}`, ...nested.flat()];
}

describe('copyTo and copyFrom', () => {
  it('keep contents, modes, times and links of a tree', async () => {
    await using here = await folder();
    await using there = await folder();
    await makeTree(here.path);
    await using server = await TestPodServer.start((socket, { url = '' }) =>
      runLocally(socket, url),
    );
    await using client = server.client();
    const steps: string[] = [];
    const onProgress = (step: { readonly path: string }): void => void steps.push(step.path);
    const target = join(there.path, 'copied');
    const sent = await copyTo(client, pod, join(here.path, 'tree'), target, { onProgress });
    assert.equal(sent.bytes, 3_000_014);
    assert.equal(steps[0], '.');
    assert.ok(steps.includes('deep/large'));
    assert.deepEqual(await listing(target), await listing(join(here.path, 'tree')));

    const back = join(here.path, 'back');
    const received = await copyFrom(client, pod, target, back);
    assert.deepEqual(received.skipped, []);
    assert.equal(received.bytes, sent.bytes);
    assert.deepEqual(await listing(back), await listing(join(here.path, 'tree')));
    for (const file of ['run.sh', 'deep/large', 'deep', '.']) {
      assert.equal((await lstat(join(back, file))).mtimeMs, 1_600_000_000_000, file);
    }
  });

  it('copy one file, and replace it', async () => {
    await using here = await folder();
    await using server = await TestPodServer.start((socket, { url = '' }) =>
      runLocally(socket, url),
    );
    await using client = server.client();
    const [source, target, back] = ['a', 'b', 'c'].map((name) => join(here.path, name));
    await writeFile(source ?? '', 'first');
    await writeFile(back ?? '', 'older, and longer than the new one');
    await copyTo(client, pod, source ?? '', target ?? '');
    await copyFrom(client, pod, target ?? '', back ?? '');
    assert.equal(await readFile(back ?? '', 'utf8'), 'first');
  });

  it('fail with the words of tar', async () => {
    await using here = await folder();
    await using server = await TestPodServer.start((socket, { url = '' }) =>
      runLocally(socket, url),
    );
    await using client = server.client();
    const missing = join(here.path, 'missing', 'file');
    const failure = { code: 'STREAMS_COPY_FAILED', message: /exit code 2: .*missing/s };
    await assert.rejects(copyFrom(client, pod, missing, join(here.path, 'x')), failure);
    await writeFile(join(here.path, 'file'), 'x');
    await assert.rejects(copyTo(client, pod, join(here.path, 'file'), missing), failure);
    const nothing = join(here.path, 'nothing');
    await assert.rejects(copyTo(client, pod, nothing, missing), { code: 'ENOENT' });
  });
});

/** A container that sends this archive, whatever it is asked for. */
async function sending(entries: readonly TarEntry[] | Uint8Array): Promise<TestPodServer> {
  const archive = entries instanceof Uint8Array ? entries : await packTar(entries);
  return await TestPodServer.start((socket) => {
    socket.send(onChannel(1, archive));
    exit(socket, 0);
  });
}

const file = (name: string): TarEntry => ({ header: { name, size: 4 }, body: 'evil' });
const link = (name: string, linkname: string, type: 'link' | 'symlink' = 'symlink'): TarEntry => ({
  header: { name, linkname, type, size: 0 },
});

describe('a container that is hostile', () => {
  const paths = [
    '../evil',
    '/evil',
    'other/evil',
    'data/../../evil',
    'data/x/../../../evil',
    'evil',
  ];
  for (const name of paths) {
    it(`cannot write to ${name}`, async () => {
      await using here = await folder();
      await using server = await sending([file(name)]);
      await using client = server.client();
      const target = join(here.path, 'target');
      await assert.rejects(copyFrom(client, pod, '/data', target), { code: 'STREAMS_COPY_UNSAFE' });
      assert.deepEqual(await readdir(here.path), []);
    });
  }

  it('cannot make links that leave the target', async () => {
    await using here = await folder();
    await using server = await sending([
      file('data/real/file'),
      link('data/absolute', '/etc/passwd'),
      link('data/up', '../secret'),
      link('data/real/root', '..'),
      // Below a link to the root, `..` would leave it.
      link('data/real/indirect', 'root/../../secret'),
      link('data/real/over', '../../secret'),
      link('data/hard', 'data/missing', 'link'),
      link('data/inside', 'real/file'),
      link('data/same', 'data/real/file', 'link'),
      { header: { name: 'data/pipe', type: 'fifo', size: 0 } },
    ]);
    await using client = server.client();
    const target = join(here.path, 'target');
    const { skipped } = await copyFrom(client, pod, '/data', target);
    assert.deepEqual(
      skipped.map(({ path }) => path),
      ['absolute', 'up', 'real/indirect', 'real/over', 'hard', 'pipe'],
    );
    assert.deepEqual((await readdir(target)).toSorted(), ['inside', 'real', 'same']);
    assert.equal(await readFile(join(target, 'inside'), 'utf8'), 'evil');
    assert.equal(await readFile(join(target, 'same'), 'utf8'), 'evil');
    assert.equal(await readlink(join(target, 'real', 'root')), '..');
  });

  it('cannot write through links, its own or those that are there', async () => {
    await using here = await folder();
    const outside = join(here.path, 'outside');
    await mkdir(outside);
    await mkdir(join(here.path, 'target'));
    await symlink(outside, join(here.path, 'target', 'there'));
    for (const entries of [
      [file('data/there/evil')],
      [link('data/own', 'real'), file('data/own/evil')],
      [link('data/there/link', 'x')],
    ]) {
      await using server = await sending(entries);
      await using client = server.client();
      const copying = copyFrom(client, pod, '/data', join(here.path, 'target'));
      await assert.rejects(copying, { code: 'STREAMS_COPY_UNSAFE' });
      assert.deepEqual(await readdir(outside), []);
    }
  });

  it('gets no set-user-id bits', async () => {
    await using here = await folder();
    const entry = { header: { name: 'data', size: 4, mode: 0o6755 }, body: 'evil' };
    await using server = await sending([entry]);
    await using client = server.client();
    await copyFrom(client, pod, '/data', join(here.path, 'data'));
    assert.equal((await lstat(join(here.path, 'data'))).mode & 0o7777, 0o755);
  });

  it('is noticed if it sends no archive', async () => {
    await using here = await folder();
    await using server = await sending(Buffer.alloc(2048, 'no tar'));
    await using client = server.client();
    const copying = copyFrom(client, pod, '/data', join(here.path, 'data'));
    await assert.rejects(copying, { code: 'STREAMS_COPY_FAILED' });
  });
});
