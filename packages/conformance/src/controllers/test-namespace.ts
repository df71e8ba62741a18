import { Clientset } from 'client-ts/kubernetes';
import { type ClientTarget, type RunningTarget } from '../clients/test-targets.ts';

/** A namespace on a server, with a client for it; disposing it deletes both. */
export interface TestNamespace extends AsyncDisposable {
  readonly target: RunningTarget;
  readonly client: Clientset;
  readonly namespace: string;
}

/** Starts a server, or connects to it, and creates a namespace. */
export async function startNamespace({ start }: ClientTarget): Promise<TestNamespace> {
  const target = await start();
  const client = new Clientset(target.config);
  const { metadata } = await client.coreV1
    .namespaces()
    .create({ metadata: { generateName: 'controller-' } });
  return {
    target,
    client,
    namespace: metadata.name,
    [Symbol.asyncDispose]: async () => {
      await client.coreV1.namespaces().delete(metadata.name);
      await client[Symbol.asyncDispose]();
      await target[Symbol.asyncDispose]();
    },
  };
}
