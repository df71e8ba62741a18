import assert from 'node:assert/strict';
import { readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { RotatingFile } from './rotating-file.ts';
import { folder } from './test-events.ts';

describe('RotatingFile', () => {
  it('rotates before the limit, and keeps the configured number', async (t) => {
    const directory = await folder(t);
    const path = join(directory, 'lines');
    await using file = new RotatingFile({ path, maxBytes: 10, keep: 2 });
    for (const letter of 'abcdefgh') await file.append(`${letter.repeat(4)}\n`);
    assert.deepEqual((await readdir(directory)).toSorted(), ['lines', 'lines.1', 'lines.2']);
    assert.equal(await readFile(path, 'utf8'), 'gggg\nhhhh\n');
    assert.equal(await readFile(`${path}.1`, 'utf8'), 'eeee\nffff\n');
    assert.equal(await readFile(`${path}.2`, 'utf8'), 'cccc\ndddd\n');
    assert.equal((await stat(path)).mode & 0o777, 0o600);
  });

  it('counts the existing content, and terminates its last line', async (t) => {
    const path = join(await folder(t), 'lines');
    await writeFile(path, 'abc');
    await using file = new RotatingFile({ path, maxBytes: 8, keep: 1 });
    await file.append('def\n');
    await file.append('g\n');
    assert.equal(await readFile(`${path}.1`, 'utf8'), 'abc\ndef\n');
    assert.equal(await readFile(path, 'utf8'), 'g\n');
  });

  it('reopens the path after another program moved the file', async (t) => {
    const path = join(await folder(t), 'lines');
    await using file = new RotatingFile({ path, maxBytes: Infinity, keep: 0 });
    await file.append('a\n');
    await rename(path, `${path}.moved`);
    await file.append('b\n');
    await file.reopen();
    await file.append('c\n');
    assert.equal(await readFile(`${path}.moved`, 'utf8'), 'a\nb\n');
    assert.equal(await readFile(path, 'utf8'), 'c\n');
  });

  it('rejects while the disk fails, and recovers', async (t) => {
    const directory = await folder(t);
    const path = join(directory, 'lines');
    await symlink('/dev/full', path);
    await using file = new RotatingFile({ path, maxBytes: Infinity, keep: 0 });
    await assert.rejects(file.append('a\n'), { code: 'ENOSPC' });
    await rename(path, `${path}.full`);
    await file.reopen();
    await file.append('a\n');
    assert.equal(await readFile(path, 'utf8'), 'a\n');
  });
});
