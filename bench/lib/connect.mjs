// A minimal HTTPS client for measurements: keep-alive connections and nothing else, so that what is
// measured is the server.
import { readFileSync } from 'node:fs';
import https from 'node:https';
import http from 'node:http';
import { parse } from 'yaml';

/** Reads server and credentials from a kubeconfig. */
export function targetFromKubeconfig(text) {
  const config = parse(text);
  const context = config.contexts.find(({ name }) => name === config['current-context']).context;
  const { cluster } = config.clusters.find(({ name }) => name === context.cluster);
  const { user } = config.users.find(({ name }) => name === context.user);
  const data = (inline, file) =>
    inline ? Buffer.from(inline, 'base64') : file ? readFileSync(file) : undefined;
  return {
    url: cluster.server,
    ca: data(cluster['certificate-authority-data'], cluster['certificate-authority']),
    cert: data(user['client-certificate-data'], user['client-certificate']),
    key: data(user['client-key-data'], user['client-key']),
    token: user.token,
  };
}

export class Connection {
  #agent;
  #target;
  #module;

  constructor(target, { maxSockets = 16 } = {}) {
    this.#target = target;
    this.#module = target.url.startsWith('https:') ? https : http;
    const { ca, cert, key } = target;
    this.#agent = new this.#module.Agent({ keepAlive: true, maxSockets, ca, cert, key });
  }

  /** Resolves with the response stream. */
  open(method, path, body, headers = {}) {
    return new Promise((resolve, reject) => {
      const request = this.#module.request(
        new URL(path, this.#target.url),
        {
          method,
          agent: this.#agent,
          headers: {
            ...(this.#target.token && { authorization: `Bearer ${this.#target.token}` }),
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...headers,
          },
        },
        resolve,
      );
      request.on('error', reject);
      request.end(body);
    });
  }

  /** Resolves with status and size; the body is read and thrown away unless wanted. */
  async call(method, path, body, { headers, keep = false } = {}) {
    const response = await this.open(method, path, body, headers);
    const chunks = [];
    let size = 0;
    for await (const chunk of response) {
      size += chunk.length;
      if (keep) chunks.push(chunk);
    }
    return { status: response.statusCode, size, body: Buffer.concat(chunks) };
  }

  close() {
    this.#agent.destroy();
  }
}
