import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';

import { FakeKubelet } from './fake-kubelet.ts';

const pod = {
  metadata: { name: 'web', namespace: 'default', uid: '1' },
  spec: { containers: [{ name: 'app', image: 'pause', env: [{ name: 'GREETING', value: 'hi' }] }] },
};
const target = { node: 'node-1', namespace: 'default', name: 'web', container: 'app', pod };

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(
  kubelet: FakeKubelet,
  command: readonly string[],
  input: Uint8Array | string = '',
): Promise<Result> {
  const process = await kubelet.exec(target, command);
  const stdin = new PassThrough().end(input);
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const { signal } = new AbortController();
  const outputs = Promise.all([text(stdout), text(stderr)]);
  const code = await process({ stdin, stdout, stderr, signal });
  stdout.end();
  stderr.end();
  const [out, errors] = await outputs;
  return { code, stdout: out, stderr: errors };
}

const scripts: readonly (readonly [script: string, stdout: string, code: number])[] = [
  ['echo a; echo b', 'a\nb\n', 0],
  ['echo \'a  b\' "$GREETING you" $NONE ${GREETING}x', 'a  b hi you hix\n', 0],
  ['false && echo no || echo yes', 'yes\n', 0],
  ['false; echo $?', '1\n', 0],
  ['X=1 Y="2 3"; echo $X-$Y', '1-2 3\n', 0],
  ['echo one > /tmp/f; echo two >> /tmp/f; cat < /tmp/f | cat', 'one\ntwo\n', 0],
  ['nosuch 2> /tmp/e || cat /tmp/e', 'sh: nosuch: not found\n', 0],
  ['echo no >&2; nosuch > /tmp/all 2>&1; cat /tmp/all', 'sh: nosuch: not found\n', 0],
  ['nosuch 2>&1 | cat; echo 2>/dev/null a2 b', 'sh: nosuch: not found\na2 b\n', 0],
  ['echo a >&7', '', 1],
  ['cd /tmp && pwd && cd nowhere; echo $?', '/tmp\n2\n', 0],
  [
    'mkdir -p /d/e; touch 2> /dev/null; test -d /d/e && [ -f /none ] || echo checked',
    'checked\n',
    0,
  ],
  ['echo a # comment\necho b \\; c', 'a\nb ; c\n', 0],
  ['exit 42; echo never', '', 42],
  ['nosuch', '', 127],
  ["echo 'open", '', 2],
  ['| cat', '', 2],
  ['echo a &&', '', 2],
];

describe('sh', () => {
  for (const [script, stdout, code] of scripts) {
    it(`runs ${JSON.stringify(script)}`, async () => {
      await using kubelet = new FakeKubelet();
      const result = await run(kubelet, ['sh', '-c', script]);
      assert.deepEqual([result.stdout, result.code], [stdout, code], result.stderr);
    });
  }

  it('runs the lines of its input, and knows parameters', async () => {
    await using kubelet = new FakeKubelet();
    const lines = await run(kubelet, ['sh'], 'echo one\nexit 3\necho two\n');
    assert.deepEqual([lines.stdout, lines.code], ['one\n', 3]);
    const parameters = await run(kubelet, ['sh', '-c', 'echo $0 $1 "$2"', 'name', 'a', 'b c']);
    assert.equal(parameters.stdout, 'name a b c\n');
  });
});

describe('tar', () => {
  it('extracts what it has archived: files, folders, links, long names', async () => {
    await using kubelet = new FakeKubelet();
    const long = `${'long-'.repeat(30)}name`;
    const setUp = `mkdir -p /src/deep; echo hello > /src/deep/file; echo x > /src/${long}`;
    await run(kubelet, ['sh', '-c', setUp]);
    const process = await kubelet.exec(target, ['tar', 'cf', '-', '-C', '/src', '.']);
    const stdout = new PassThrough();
    const chunks: Buffer[] = [];
    stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    const { signal } = new AbortController();
    assert.equal(await process({ stdout, signal }), 0);
    const archive = Buffer.concat(chunks);
    await run(kubelet, ['mkdir', '/target']);
    const extracted = await run(kubelet, ['tar', '-xmf', '-', '-C', '/target'], archive);
    assert.deepEqual([extracted.code, extracted.stderr], [0, '']);
    assert.equal((await run(kubelet, ['cat', '/target/deep/file'])).stdout, 'hello\n');
    assert.equal((await run(kubelet, ['cat', `/target/${long}`])).stdout, 'x\n');
  });

  it('refuses what is no archive, or ends early', async () => {
    await using kubelet = new FakeKubelet();
    const garbage = await run(kubelet, ['tar', 'xf', '-'], 'x'.repeat(2000));
    assert.equal(garbage.code, 1);
    assert.match(garbage.stderr, /does not look like a tar archive/);
    assert.match((await run(kubelet, ['tar', 'cf', '-', '/none'])).stderr, /Cannot stat/);
  });
});
