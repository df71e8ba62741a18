import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Where the kubeconfig of the embedded server goes, seen from where the command was started. */
export const kubeconfigPath = '.kube/client-ts.kubeconfig';

/** Writes a kubeconfig where only its owner can read it: it holds a token. Gives the whole path. */
export async function writeKubeconfig(directory: string, content: string): Promise<string> {
  const path = resolve(directory, kubeconfigPath);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, content, { mode: 0o600 });
  return path;
}
