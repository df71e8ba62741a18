import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

import { ApiServer, type ApiServerOptions } from '@client-ts/apiserver';

/** For tests: a server with a directory and a kubeconfig, removed after the test. */
export interface EmbeddedServer {
  readonly server: ApiServer;
  readonly directory: string;
  readonly kubeconfig: string;
}

/** For tests: starts an embedded server with a kubeconfig. */
export async function embeddedServer(
  t: Pick<TestContext, 'after'>,
  options: ApiServerOptions = {},
): Promise<EmbeddedServer> {
  const directory = mkdtempSync(join(tmpdir(), 'client-ts-cli-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const server = await ApiServer.start(options);
  t.after(() => server[Symbol.asyncDispose]());
  const kubeconfig = join(directory, 'kubeconfig');
  writeFileSync(kubeconfig, server.kubeconfig);
  return { server, directory, kubeconfig };
}
