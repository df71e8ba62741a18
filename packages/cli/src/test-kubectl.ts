import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';

import type { Outcome, TestCli } from './test-cli.ts';

const folder = fileURLToPath(new URL('../testdata/', import.meta.url));

/** The prompt before each command of a transcript. */
const prompt = '$ kubectl ';

/**
 * For tests: compares what commands print with what kubectl 1.36 printed, which is kept in
 * `testdata/NAME.transcript`. With `$KUBECTL`, kubectl runs too, on the same server, and the file
 * must be what it prints; with `$RECORD` as well, the file is written.
 */
export async function compareWithKubectl(
  t: TestContext,
  cli: TestCli,
  name: string,
  commands: readonly (readonly string[])[],
): Promise<void> {
  const file = join(folder, `${name}.transcript`);
  const { KUBECTL: kubectl = '', RECORD: record = '' } = process.env;
  const live = new Map<string, string>();
  for (const args of kubectl === '' ? [] : commands) {
    live.set(args.join(' '), entryOf(await runKubectl(kubectl, args, cli)));
  }
  if (record !== '') {
    writeFileSync(file, [...live].map(([line, entry]) => `${prompt}${line}\n${entry}`).join(''));
  }
  const kept = readTranscript(file);
  assert.deepEqual(
    [...kept.keys()],
    commands.map((args) => args.join(' ')),
  );
  for (const args of commands) {
    const line = args.join(' ');
    await t.test(line, async () => {
      const expected = kept.get(line) ?? '';
      if (kubectl !== '') assert.equal(live.get(line), expected, 'kubectl prints something else');
      const own = await cli.run(...args);
      if (own.code === 0) assert.equal(entryOf(own), expected, own.err);
      // Messages have the words and the hints of this program.
      else assert.match(expected, new RegExp(`^exit ${own.code}$`, 'm'));
    });
  }
}

/** A failure is its exit code and its message: what was printed before depends on the program. */
function entryOf({ code, out, err }: Outcome): string {
  return code === 0 ? masked(out) : `exit ${code}\n${err}`;
}

/** Masks what differs from run to run, without moving the columns. */
function masked(text: string): string {
  return text
    .replaceAll(/\b\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, '<time>')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4} \S+/g, '<time>')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<timestamp>')
    .replaceAll(/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g, '<uid>')
    .replaceAll(/^(\s*Resource Version: +)\d+$/gm, '$1<version>')
    .replaceAll(/(?<=%\) +)\w+$/gm, '<age>')
    .replaceAll(/(?<=\(lasts )\w+/g, '<age>')
    .replaceAll(/^ +(?:Normal|Warning) .*$/gm, (event) => event.replaceAll(/\b\d+m\b/g, '<age>'));
}

function readTranscript(file: string): Map<string, string> {
  const entries = readFileSync(file, 'utf8')
    .split(/^\$ kubectl /m)
    .slice(1);
  return new Map(
    entries.map((entry) => {
      const end = entry.indexOf('\n');
      return [entry.slice(0, end), entry.slice(end + 1)];
    }),
  );
}

function runKubectl(
  kubectl: string,
  args: readonly string[],
  { kubeconfig, directory }: TestCli,
): Promise<Outcome> {
  const env = { KUBECONFIG: kubeconfig, HOME: directory };
  return new Promise((resolve, reject) => {
    execFile(kubectl, args, { env, maxBuffer: 1 << 26 }, (error, out, err) => {
      if (error === null) resolve({ code: 0, out, err });
      else if (typeof error.code === 'number') resolve({ code: error.code, out, err });
      else reject(error);
    });
  });
}
