import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findKubectl, NoKubectlError, type KubectlSearch } from './find-kubectl.ts';

async function withDirectory(work: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'find-kubectl-'));
  try {
    await work(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function executable(file: string, script = ''): Promise<string> {
  await writeFile(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return file;
}

function refused(search: KubectlSearch, reason: RegExp): Promise<void> {
  return assert.rejects(
    findKubectl(() => undefined, search),
    (error) => error instanceof NoKubectlError && reason.test(error.message),
  );
}

describe('finding kubectl', () => {
  it('prefers $KUBECTL to the one in PATH', () =>
    withDirectory(async (directory) => {
      const inPath = await executable(join(directory, 'kubectl'));
      const given = await executable(join(directory, 'other'));
      const say = (): void => undefined;
      const isRoot = false;
      assert.equal(
        await findKubectl(say, { env: { KUBECTL: given, PATH: directory }, isRoot }),
        given,
      );
      assert.equal(
        await findKubectl(say, { env: { PATH: `/nowhere:${directory}` }, isRoot }),
        inPath,
      );
    }));

  it('reports why there is none', () =>
    withDirectory(async (directory) => {
      await refused({ env: { KUBECTL: '/nowhere' }, isRoot: true }, /\$KUBECTL is \/nowhere/);
      await refused({ env: { PATH: directory }, isRoot: false }, /only root may install/);
      await refused({ env: { PATH: directory }, isRoot: true }, /no apt-get/);
      await executable(join(directory, 'apt-get'), 'echo no network; exit 100');
      await refused(
        { env: { PATH: directory }, isRoot: true },
        /apt-get update failed[^]*no network/,
      );
    }));

  it('installs one if possible, and reports it', () =>
    withDirectory(async (directory) => {
      // Replaces the package manager: `install` creates a kubectl.
      const kubectl = join(directory, 'kubectl');
      const leave = `printf '#!/bin/sh' > ${kubectl} && /bin/chmod +x ${kubectl}`;
      await executable(join(directory, 'apt-get'), `case $1 in install) ${leave};; esac`);
      const said: string[] = [];
      const search = { env: { PATH: directory }, isRoot: true };
      const found = await findKubectl((line) => void said.push(line), search);
      assert.equal(found, kubectl);
      assert.match(said.join('\n'), /apt-get install -y --no-install-recommends kubernetes-client/);
    }));
});
