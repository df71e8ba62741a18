// The same GET through different clients. Each gives a function that makes one, parsed, and an end.
import https from 'node:https';
import { createTransport } from 'client-ts/transport';
import { clientNode as importClientNode } from '../peers/install.mjs';

const PATH = '/api/v1/namespaces/default';

export function clientTs({ url, ca, token }, protocol) {
  const transport = createTransport({ server: url, tls: { ca }, auth: { token }, protocol });
  return {
    get: async () => {
      const { body } = await transport.request({ method: 'GET', path: PATH, headers: {} });
      const chunks = [];
      for await (const chunk of body) chunks.push(chunk);
      return JSON.parse(Buffer.concat(chunks));
    },
    close: () => transport[Symbol.asyncDispose](),
  };
}

/** As little as Node lets you do: the floor for HTTP/1.1. */
export function bareAgent({ url, ca, token }) {
  const agent = new https.Agent({ keepAlive: true, ca });
  const options = { agent, headers: { authorization: `Bearer ${token}` } };
  return {
    get: () =>
      new Promise((resolve, reject) => {
        const request = https.get(new URL(PATH, url), options, (response) => {
          const chunks = [];
          response.on('data', (chunk) => chunks.push(chunk));
          response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks))));
        });
        request.on('error', reject);
      }),
    close: async () => agent.destroy(),
  };
}

export async function clientNode({ url, kubeconfig, originalUrl }) {
  const { CoreV1Api, KubeConfig } = await importClientNode();
  const config = new KubeConfig();
  config.loadFromString(kubeconfig.replace(originalUrl, url));
  const api = config.makeApiClient(CoreV1Api);
  return { get: () => api.readNamespace({ name: 'default' }), close: async () => undefined };
}
