import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { commands } from './commands.mjs';
import { root } from './paths.mjs';

/** @type {{ scripts: Record<string, string> }} */
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** @param {readonly string[]} args */
function setup(args) {
  const script = join(root, 'scripts', 'setup.mjs');
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  return spawnSync(process.execPath, [script, ...args], { cwd: root, encoding: 'utf8', env });
}

describe('npm scripts', () => {
  it('have one description each', () => {
    assert.deepEqual(Object.keys(commands).toSorted(), Object.keys(scripts).toSorted());
    for (const [name, line] of Object.entries(scripts)) {
      assert.equal(line, `node scripts/setup.mjs ${name}`);
    }
  });

  for (const name of Object.keys(scripts)) {
    it(`${name} -- --help prints its usage and does nothing else`, () => {
      const { status, stdout, stderr } = setup([name, '--help']);
      assert.deepEqual([status, stderr], [0, '']);
      assert.match(stdout, new RegExp(`^(?:npm (?:run )?${name}\\b|Usage: client-ts [a-z]+ )`));
    });
  }

  for (const line of [
    'chaos --minutes 0',
    'collector-chaos --rounds 0',
    'conformance --only no-such',
    'crash --kills 0',
    'crash --kills many',
    'explore --world operator --minutes 1e-9',
    'mutate lib --file no-such',
    'soak --rounds 0',
    'test binary-heap --name no-such',
  ]) {
    it(`fail if nothing is checked: ${line}`, () => {
      const { status, stdout, stderr } = setup(line.split(' '));
      assert.ok(status === 1 || status === 2, `${status}\n${stdout}${stderr}`);
    });
  }

  it('take -h for --help', () => {
    assert.equal(setup(['check', '-h']).stdout, setup(['check', '--help']).stdout);
  });

  it('are listed by --help without a command, and by an unknown one as an error', () => {
    const help = setup(['--help']);
    assert.equal(help.status, 0);
    for (const name of Object.keys(scripts))
      assert.match(help.stdout, new RegExp(`^  ${name} `, 'm'));
    const unknown = setup(['strat']);
    assert.deepEqual([unknown.status, unknown.stderr], [2, help.stdout]);
  });
});
