const NAMES = '/api/v1/namespaces/default/configmaps';

/**
 * The ConfigMaps of a namespace behind a transport without sockets: list, watch and merge patch, as JSON in
 * turns of the event loop of their own. What is left is the client alone, so that what the inspector takes
 * is a larger part of it than with any server.
 */
export class MemoryCluster {
  #maps = new Map();
  #version = 1;
  #unsent = [];
  #wake = () => undefined;

  /** @param {number} objects */
  constructor(objects) {
    for (let index = 0; index < objects; index += 1) {
      this.#put({ metadata: { name: `map-${index}`, namespace: 'default' }, data: { round: '0' } });
    }
  }

  /** For `Config.transport`. */
  transport = {
    request: async ({ method, path, body, signal }) => {
      const url = new URL(path, 'http://memory');
      await nextTurn();
      if (method === 'PATCH') {
        const { data } = JSON.parse(new TextDecoder().decode(body));
        const name = url.pathname.slice(NAMES.length + 1);
        const map = this.#put({ ...this.#maps.get(name), data });
        this.#unsent.push(map);
        this.#wake();
        return answer([JSON.stringify(map)]);
      }
      if (url.searchParams.get('watch') === null) return answer([this.#list()]);
      return answer(this.#watch(url.searchParams.has('sendInitialEvents'), signal));
    },
    [Symbol.asyncDispose]: async () => undefined,
  };

  #put({ metadata, data }) {
    this.#version += 1;
    const { name, namespace } = metadata;
    const resourceVersion = String(this.#version);
    const full = { name, namespace, uid: `uid-${name}`, resourceVersion };
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: full, data };
    this.#maps.set(name, map);
    return map;
  }

  #list() {
    const metadata = { resourceVersion: String(this.#version) };
    const items = [...this.#maps.values()];
    return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMapList', metadata, items });
  }

  async *#watch(sendsInitialEvents, signal) {
    const ended = new Promise((resolve) => signal.addEventListener('abort', () => resolve(true)));
    if (sendsInitialEvents) {
      for (const object of this.#maps.values()) yield frame('ADDED', object);
      const annotations = { 'k8s.io/initial-events-end': 'true' };
      const metadata = { resourceVersion: String(this.#version), annotations };
      yield frame('BOOKMARK', { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    }
    while (!signal.aborted) {
      const maps = this.#unsent.splice(0);
      if (maps.length > 0) yield maps.map((map) => frame('MODIFIED', map)).join('');
      else {
        const woken = new Promise((resolve) => (this.#wake = () => resolve(false)));
        if (await Promise.race([woken, ended])) return;
        await nextTurn();
      }
    }
  }
}

function frame(type, object) {
  return `${JSON.stringify({ type, object })}\n`;
}

function nextTurn() {
  return new Promise((resolve) => setImmediate(resolve));
}

function answer(texts) {
  const encoder = new TextEncoder();
  const body = (async function* chunks() {
    for await (const text of texts) yield encoder.encode(text);
  })();
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}
