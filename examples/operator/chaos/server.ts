import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Config, loadConfig } from 'client-ts';

/** A server in another process. */
export interface Server extends AsyncDisposable {
  readonly config: Config;
  readonly kubeconfig: string;
}

/** Connects to the server of a kubeconfig, or starts an embedded one in its own process, over TLS. */
export async function startServer(kubeconfig: string | undefined): Promise<Server> {
  if (kubeconfig !== undefined) {
    const config = await loadConfig({ kubeconfig });
    return { config, kubeconfig, [Symbol.asyncDispose]: async () => undefined };
  }
  const directory = await mkdtemp(join(tmpdir(), 'chaos-'));
  const file = join(directory, 'kubeconfig');
  const command = import.meta.resolve('@client-ts/apiserver/package.json');
  const script = fileURLToPath(new URL('dist/command.js', command));
  const child = spawn(process.execPath, [script, '--kubeconfig-out', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  await once(createInterface(child.stdout), 'line');
  return {
    config: await loadConfig({ kubeconfig: file }),
    kubeconfig: file,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(directory, { recursive: true });
    },
  };
}
