import { isAbsolute } from 'node:path';
import {
  type Clock,
  type Environment,
  isJsonObject,
  type JsonObject,
  setKey,
  SingleFlight,
  systemClock,
  systemEnvironment,
} from '../lib/index.ts';
import { parseTimestamp } from '../meta/time.ts';
import type { Credentials, CredentialSource } from '../transport/index.ts';
import { ConfigError } from './config-error.ts';
import { dataOrFile, resolvePath } from './files.ts';
import type { Cluster, ExecConfig, FromFile } from './kubeconfig.ts';
import { type PluginFailureOptions, runPlugin } from './run-plugin.ts';

/** The extension of a cluster that its plugins get to see. */
const CLUSTER_EXTENSION = 'client.authentication.k8s.io/exec';
/** Enough to log in with a browser. */
const TIMEOUT_MS = 5 * 60_000;

export interface ExecCredentialsOptions {
  readonly exec: ExecConfig;
  /** The kubeconfig that the stanza stands in. */
  readonly origin: string;
  readonly cluster: FromFile<Cluster>;
  readonly env?: Environment;
  readonly clock?: Clock;
  /** Whether the plugin can ask a person questions. Default: standard input is a terminal. */
  readonly isTerminal?: boolean;
  /** How long the plugin may run before it is killed. Default: 5 minutes. */
  readonly timeoutMs?: number;
}

interface Kept {
  readonly credentials: Credentials;
  readonly expiresAt: number;
}

/**
 * Credentials that a program prints. It is run when they are first needed and again when they
 * expire or the server refuses them; requests that wait at the same time share one run. A run that
 * takes too long, or that no request waits for any more, is killed.
 */
export class ExecCredentials implements CredentialSource {
  readonly #options: ExecCredentialsOptions;
  readonly #clock: Clock;
  readonly #runs = new SingleFlight<Kept>();
  #kept: Kept | undefined;

  constructor(options: ExecCredentialsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  async get(signal?: AbortSignal): Promise<Credentials> {
    const kept = this.#kept;
    if (kept !== undefined && kept.expiresAt > this.#clock.now()) return kept.credentials;
    const { credentials } = await this.#runs.run((abandoned) => this.#run(abandoned), signal);
    return credentials;
  }

  refused(credentials: Credentials): void {
    // A late refusal of old credentials says nothing about new ones.
    if (this.#kept?.credentials === credentials) this.#kept = undefined;
  }

  async #run(signal: AbortSignal): Promise<Kept> {
    const { exec } = this.#options;
    const output = await this.#output(signal);
    const kept = readCredential(output, exec);
    this.#kept = kept;
    return kept;
  }

  async #output(signal: AbortSignal): Promise<string> {
    const { exec, origin, env = systemEnvironment(), timeoutMs = TIMEOUT_MS } = this.#options;
    const isInteractive = this.#isInteractive();
    const isRelative = /[\\/]/.test(exec.command) && !isAbsolute(exec.command);
    const info = await this.#info(isInteractive);
    const variables: Record<string, string | undefined> = { ...env };
    for (const { name, value } of exec.env) setKey(variables, name, value);
    variables['KUBERNETES_EXEC_INFO'] = JSON.stringify(info);
    return await runPlugin({
      command: isRelative ? resolvePath(exec.command, origin) : exec.command,
      args: exec.args,
      env,
      variables,
      isInteractive,
      clock: this.#clock,
      timeoutMs,
      signal,
      fail: (problem, failure) => this.#failure(problem, failure),
    });
  }

  #isInteractive(): boolean {
    const { exec, isTerminal = process.stdin.isTTY } = this.#options;
    if (exec.interactiveMode === 'Never') return false;
    if (exec.interactiveMode === 'Always' && !isTerminal) {
      throw this.#failure('needs a terminal (interactiveMode is Always), and there is none');
    }
    return isTerminal;
  }

  /** What the plugin gets to know about its task. */
  async #info(interactive: boolean): Promise<JsonObject> {
    const { exec, cluster } = this.#options;
    return {
      kind: 'ExecCredential',
      apiVersion: exec.apiVersion,
      spec: {
        interactive,
        ...(exec.provideClusterInfo && { cluster: await clusterInfo(cluster) }),
      },
    };
  }

  #failure(problem: string, { cause, isMissing = false }: PluginFailureOptions = {}): ConfigError {
    const { command, installHint } = this.#options.exec;
    return new ConfigError('CONFIG_EXEC_FAILED', `credential plugin ${shown(command)} ${problem}`, {
      cause,
      ...(isMissing && installHint !== '' && { hint: installHint.trim() }),
    });
  }
}

async function clusterInfo({ value: cluster, origin }: FromFile<Cluster>): Promise<JsonObject> {
  const extension = cluster.extensions.find(({ name }) => name === CLUSTER_EXTENSION);
  const { certificateAuthority: file, certificateAuthorityData: data } = cluster;
  // Plugins get the content, because a path may mean nothing to them.
  const authority = await dataOrFile(data, file, origin);
  return {
    server: cluster.server,
    ...(cluster.tlsServerName !== '' && { 'tls-server-name': cluster.tlsServerName }),
    ...(cluster.insecureSkipTlsVerify && { 'insecure-skip-tls-verify': true }),
    ...(authority !== '' && { 'certificate-authority-data': authority }),
    ...(cluster.proxyUrl !== '' && { 'proxy-url': cluster.proxyUrl }),
    ...(cluster.disableCompression && { 'disable-compression': true }),
    ...(extension !== undefined && { config: extension.extension as JsonObject }),
  };
}

/** A command as it stands in messages: control characters are escaped. */
function shown(command: string): string {
  return JSON.stringify(command).slice(1, -1);
}

/** Reads what a plugin printed. Nothing of it is ever quoted in an error: it holds secrets. */
function readCredential(output: string, exec: ExecConfig): Kept {
  const fail = (problem: string): ConfigError =>
    new ConfigError('CONFIG_EXEC_FAILED', `credential plugin ${shown(exec.command)} ${problem}`);
  let printed: unknown;
  try {
    printed = JSON.parse(output);
  } catch {
    throw fail('did not print JSON');
  }
  if (!isJsonObject(printed) || printed['kind'] !== 'ExecCredential') {
    throw fail('did not print an ExecCredential');
  }
  if (printed['apiVersion'] !== exec.apiVersion) {
    throw fail(
      `answered in another version than ${exec.apiVersion}, which the kubeconfig asks for`,
    );
  }
  const { status } = printed;
  if (!isJsonObject(status)) throw fail('printed an ExecCredential without a status');
  const token = textOf(status['token']);
  const cert = textOf(status['clientCertificateData']);
  const key = textOf(status['clientKeyData']);
  if (token === '' && cert === '') throw fail('gave neither a token nor a client certificate');
  if ((cert === '') !== (key === ''))
    throw fail('gave a client certificate or its key, but not both');
  const expiry = textOf(status['expirationTimestamp']);
  const expiresAt = expiry === '' ? Infinity : expiryMs(expiry);
  if (expiresAt === undefined) throw fail('printed an expirationTimestamp that is not a time');
  return {
    credentials: {
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...(cert !== '' && { cert, key }),
    },
    expiresAt,
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function expiryMs(text: string): number | undefined {
  const timestamp = parseTimestamp(text);
  return timestamp && timestamp.seconds * 1000;
}
