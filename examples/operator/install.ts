import { type Clientset, isAlreadyExists } from 'client-ts';
import { conditions, waitFor } from 'client-ts/wait';

import { webSets } from './web-set.ts';

/** Installs the CRD of WebSets, unless it exists. */
export async function installWebSets(client: Clientset): Promise<void> {
  const definitions = client.apiextensionsV1.customResourceDefinitions();
  await definitions.create(webSets.definition).catch(unlessThere);
  await waitFor(definitions, webSets.definition, conditions.crdEstablished, { timeoutMs: 30_000 });
}

/** Creates a namespace, unless it exists. */
export async function ensureNamespace(client: Clientset, name: string): Promise<void> {
  await client.coreV1.namespaces().create({ metadata: { name } }).catch(unlessThere);
}

function unlessThere(error: unknown): void {
  if (!isAlreadyExists(error)) throw error;
}
