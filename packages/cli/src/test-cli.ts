import { join } from 'node:path';
import type { TestContext as NodeTestContext } from 'node:test';

import type { ApiServerOptions } from '@client-ts/apiserver';
import { RESTClient } from 'client-ts/rest';

import type { CommandContext } from './frame/context.ts';
import { testContext, type TestContext } from './frame/test-context.ts';
import { embeddedServer, type EmbeddedServer } from './frame/test-server.ts';
import { run } from './run.ts';

/** For tests: the outcome of a command line. */
export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** For tests: an embedded server, and the command connected to it. */
export interface TestCli extends EmbeddedServer {
  /** A context with the kubeconfig of the server in its environment. */
  context(overrides?: Partial<CommandContext>): TestContext;
  run(...args: readonly string[]): Promise<Outcome>;
  /** Creates objects. */
  create(path: string, object: object): Promise<void>;
  remove(path: string): Promise<void>;
  /** Sets the phase of a pod. */
  setPhase(namespace: string, name: string, phase: string): Promise<void>;
}

/** For tests: starts a server for the command, until the end of the test. */
export async function testCli(
  t: Pick<NodeTestContext, 'after'>,
  options: ApiServerOptions = {},
): Promise<TestCli> {
  const embedded = await embeddedServer(t, options);
  const { server, directory, kubeconfig } = embedded;
  const rest = RESTClient.over(server.transport());
  const context = (overrides: Partial<CommandContext> = {}): TestContext =>
    testContext({
      env: { KUBECONFIG: kubeconfig, KUBECACHEDIR: join(directory, 'cache') },
      homeDirectory: directory,
      workingDirectory: directory,
      ...overrides,
    });
  return {
    ...embedded,
    context,
    run: async (...args) => {
      const own = context();
      return { code: await run(args, own), out: own.text(), err: own.errorText() };
    },
    create: async (path, object) => {
      await rest.post().absPath(path).body(object).do();
    },
    remove: async (path) => {
      await rest.delete().absPath(path).do();
    },
    setPhase: async (namespace, name, phase) => {
      const path = `/api/v1/namespaces/${namespace}/pods/${name}/status`;
      await rest.patch('merge').absPath(path).body({ status: { phase } }).do();
    },
  };
}

/** For tests: a pod with one container. */
export function pod(
  name: string,
  {
    labels = {},
    nodeName,
    phase,
  }: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly nodeName?: string;
    readonly phase?: string;
  } = {},
): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels },
    spec: {
      ...(nodeName !== undefined && { nodeName }),
      containers: [{ name: 'main', image: 'nginx' }],
    },
    ...(phase !== undefined && { status: { phase } }),
  };
}
