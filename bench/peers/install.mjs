// Packages to measure against: installed when they are first needed, each set into a folder of its
// own, so that none of them is a dependency of the repository.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Imports a package of the set, after installing the set if it is not there. */
async function importPeer(set, name) {
  const manifest = fileURLToPath(new URL(`./${set}/package.json`, import.meta.url));
  const cwd = fileURLToPath(new URL(`./${set}/`, import.meta.url));
  if (!existsSync(`${cwd}node_modules/${name}`)) {
    process.stderr.write(`installing what ${set} needs for comparison\n`);
    const args = ['install', '--no-audit', '--no-fund', '--no-package-lock', '--silent'];
    execFileSync('npm', args, { cwd, stdio: 'inherit' });
  }
  return await import(pathToFileURL(createRequire(manifest).resolve(name)).href);
}

/** The client that most Node programs use. */
export const clientNode = () => importPeer('client-node', '@kubernetes/client-node');

/** Queues for tasks of one process that people install most. Those that need a database are not. */
export async function npmQueues() {
  const { default: async } = await importPeer('queues', 'async');
  const { default: BetterQueue } = await importPeer('queues', 'better-queue');
  const { default: Bottleneck } = await importPeer('queues', 'bottleneck');
  const { default: fastq } = await importPeer('queues', 'fastq');
  const { default: PQueue } = await importPeer('queues', 'p-queue');
  return { async, BetterQueue, Bottleneck, fastq, PQueue };
}
