import type { Config } from './config.ts';
import { TransportError } from './transport-error.ts';

/**
 * The URL of the server; undefined if the configuration brings its own transport. Throws with the
 * code `TRANSPORT_CONFIG` what cannot be meant; secrets never show in the message.
 */
export function checkConfig(config: Config): URL | undefined {
  requireConfig(config);
  const { auth = {}, tls = {}, impersonate, qps, burst, timeout, maxResponseBytes } = config;
  if (auth.username !== undefined && (auth.token ?? auth.tokenFile) !== undefined) {
    throw invalid('auth has both a token and a user name', 'Use one of the two.');
  }
  if (tls.insecure === true && (tls.ca ?? tls.caFile) !== undefined) {
    throw invalid('tls.insecure does not go with a CA', 'Leave one of the two out.');
  }
  if ((tls.cert ?? tls.certFile) === undefined || (tls.key ?? tls.keyFile) === undefined) {
    if ((tls.cert ?? tls.certFile ?? tls.key ?? tls.keyFile) !== undefined) {
      throw invalid('tls has one of certificate and key', 'Give both, or neither.');
    }
  }
  // Also one that is missing, which types forbid: without a user, requests would act with all rights.
  if (impersonate !== undefined && (impersonate.user ?? '') === '') {
    throw invalid('impersonate.user is empty', 'Groups, uid and extra need a user.');
  }
  for (const [name, value] of Object.entries({ qps, burst, timeout, maxResponseBytes })) {
    if (value !== undefined && !(value > 0)) {
      throw invalid(`${name} is ${value}`, `Give a number above 0, or leave ${name} out.`);
    }
  }
  return config.transport === undefined ? serverUrl(config.server) : undefined;
}

/**
 * Refuses what is no configuration: nothing at all, which untyped programs can pass, and the promise
 * of one.
 */
export function requireConfig(config: unknown): void {
  if (typeof config !== 'object' || config === null) {
    const given = config === null ? 'null' : typeof config;
    throw invalid(`the config must be an object, not ${given}`, CONFIG_HINT);
  }
  if (typeof Reflect.get(config, 'then') === 'function') {
    throw invalid('the config is a promise', 'Await it: new Clientset(await loadConfig()).');
  }
}

const CONFIG_HINT = "Pass await loadConfig(), or { server: 'https://host:port' }.";

/** Returns host and port of an address, for messages. One that cannot be read loses user and query. */
export function hostOf(address: string): string {
  if (typeof address !== 'string') return '';
  return URL.canParse(address)
    ? new URL(address).host
    : address.replace(/^\w*:?\/\/|[?#].*$/g, '').replace(/^.*@/, '');
}

function serverUrl(server: string): URL {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    const given = server === undefined ? 'server is missing' : 'server is not the URL of a server';
    throw invalid(given, 'Write https://host:port.');
  }
  if (url.username !== '' || url.search !== '' || url.hash !== '') {
    const hint = 'Credentials belong under auth, and there is no query.';
    throw invalid('server has more than scheme, host, port and path', hint);
  }
  return url;
}

function invalid(message: string, hint: string): TransportError {
  return new TransportError('TRANSPORT_CONFIG', message, { hint });
}
