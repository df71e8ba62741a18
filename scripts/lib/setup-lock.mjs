import { createHash } from 'node:crypto';
import { closeSync, constants, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A lock that is held. Programs that inherit `fd` hold it too, so that it is not free before an
 * `npm ci` has ended whose parent was killed. Windows has no such descriptor.
 * @typedef {{ readonly fd: number | undefined, release: () => Promise<void> }} SetupLock
 */

/** How often a waiting set-up looks whether it is its turn. */
const RETRY_MS = 100;

/**
 * Runs the set-up of a clone while no other process does. The operating system holds the lock and
 * frees it with the last process that has it, however that ends; no file is left to be removed.
 * @template T
 * @param {string} root of the clone
 * @param {(lock: SetupLock) => Promise<T>} work
 * @param {(message: string) => void} [report]
 * @returns {Promise<T>}
 */
export async function withSetupLock(root, work, report = console.error) {
  let lock = await tryLock(root);
  if (lock === undefined) report('Waiting for the set-up of this clone in another process …');
  while (lock === undefined) {
    await sleep(RETRY_MS);
    lock = await tryLock(root);
  }
  try {
    return await work(lock);
  } finally {
    await lock.release();
  }
}

/**
 * Linux and Windows have names for sockets that vanish with their owner; macOS can lock a file as
 * it opens it.
 * @param {string} root
 * @returns {Promise<SetupLock | undefined>} undefined if another process has it
 */
async function tryLock(root) {
  const name = `client-ts-setup-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`;
  if (process.platform === 'linux') return tryListen(`\0${name}`);
  if (process.platform === 'win32') return tryListen(`\\\\.\\pipe\\${name}`);
  return tryOpen(join(root, '.setup.lock'));
}

/** @param {string} path @returns {Promise<SetupLock | undefined>} */
function tryListen(path) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen({ path, exclusive: true }, () => {
      // Node has no public name for the descriptor. Without it only the parent holds the lock.
      const { fd } = /** @type {{ _handle?: { fd?: number } }} */ (server)._handle ?? {};
      resolve({
        fd: fd !== undefined && fd >= 0 ? fd : undefined,
        release: () => new Promise((done) => server.close(() => done())),
      });
    });
  });
}

/** `O_EXLOCK` of macOS and the BSDs, which Node passes on but does not name. */
const EXCLUSIVE_LOCK = 0x20;

/** @param {string} file @returns {SetupLock | undefined} */
function tryOpen(file) {
  try {
    const { O_CREAT, O_NONBLOCK, O_RDWR } = constants;
    const fd = openSync(file, O_CREAT | O_NONBLOCK | O_RDWR | EXCLUSIVE_LOCK);
    return { fd, release: async () => closeSync(fd) };
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EAGAIN') return undefined;
    throw error;
  }
}
