import { once } from 'node:events';
import { createServer } from 'node:net';

/** Interrupts a process and waits for its exit. @param {import('node:child_process').ChildProcess} child */
export async function end(child) {
  const exit = once(child, 'exit');
  child.kill('SIGINT');
  await exit;
}

/** Returns a port of this machine that nothing listens on. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Undoes things when a test ends, the last first. @param {import('node:test').TestContext} t */
export function undoing(t) {
  /** @type {(() => unknown)[]} */
  const steps = [];
  t.after(async () => {
    for (const step of steps.toReversed()) await step();
  });
  return steps;
}
