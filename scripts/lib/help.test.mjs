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
  return spawnSync(process.execPath, [script, ...args], { cwd: root, encoding: 'utf8' });
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
