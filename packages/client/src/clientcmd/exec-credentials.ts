import { spawn } from 'node:child_process';
import { isAbsolute } from 'node:path';
import {
  abortable,
  type Clock,
  type Environment,
  isJsonObject,
  type JsonObject,
  setKey,
  systemClock,
  systemEnvironment,
} from '../lib/index.ts';
import type { Credentials, CredentialSource } from '../transport/index.ts';
import { ConfigError } from './config-error.ts';
import { resolvePath } from './files.ts';
import type { Cluster, ExecConfig, FromFile } from './kubeconfig.ts';

/** The extension of a cluster that its plugins get to see. */
const CLUSTER_EXTENSION = 'client.authentication.k8s.io/exec';
/** What a plugin prints is small; more than this is a mistake. */
const LONGEST_OUTPUT = 1024 * 1024;

export interface ExecCredentialsOptions {
  readonly exec: ExecConfig;
  /** The kubeconfig that the stanza stands in. */
  readonly origin: string;
  readonly cluster: FromFile<Cluster>;
  readonly env?: Environment;
  readonly clock?: Clock;
  /** Whether somebody can answer questions of the plugin. Default: standard input is a terminal. */
  readonly isTerminal?: boolean;
}

interface Kept {
  readonly credentials: Credentials;
  readonly expiresAt: number;
}

/**
 * Credentials that a program prints. It is run when they are first needed and again when they
 * expire or the server refuses them; requests that wait at the same time share one run.
 */
export class ExecCredentials implements CredentialSource {
  readonly #options: ExecCredentialsOptions;
  readonly #clock: Clock;
  #kept: Kept | undefined;
  #running: Promise<Kept> | undefined;

  constructor(options: ExecCredentialsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  async get(signal?: AbortSignal): Promise<Credentials> {
    const kept = this.#kept;
    if (kept !== undefined && kept.expiresAt > this.#clock.now()) return kept.credentials;
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
    const { credentials } = await abortable(this.#running, signal);
    return credentials;
  }

  refused(credentials: Credentials): void {
    // A late refusal of old credentials says nothing about new ones.
    if (this.#kept?.credentials === credentials) this.#kept = undefined;
  }

  async #run(): Promise<Kept> {
    const { exec } = this.#options;
    const output = await this.#output();
    const kept = readCredential(output, exec);
    this.#kept = kept;
    return kept;
  }

  async #output(): Promise<string> {
    const { exec, origin, env = systemEnvironment() } = this.#options;
    const interactive = this.#isInteractive();
    const command =
      /[\\/]/.test(exec.command) && !isAbsolute(exec.command)
        ? resolvePath(exec.command, origin)
        : exec.command;
    const variables: Record<string, string | undefined> = { ...env };
    for (const { name, value } of exec.env) setKey(variables, name, value);
    variables['KUBERNETES_EXEC_INFO'] = JSON.stringify(this.#info(interactive));
    return await new Promise((resolve, reject) => {
      const child = spawn(command, [...exec.args], {
        env: variables,
        // Questions and complaints of the plugin go to the person at the terminal.
        stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
      });
      const chunks: Buffer[] = [];
      let size = 0;
      child.stdout.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > LONGEST_OUTPUT) child.kill();
        else chunks.push(chunk);
      });
      child.once('error', (cause) => reject(this.#failure('could not be started', cause)));
      child.once('close', (code, signalName) => {
        if (size > LONGEST_OUTPUT) reject(this.#failure('printed too much to be a credential'));
        else if (code === 0) resolve(Buffer.concat(chunks).toString('utf8'));
        else
          reject(
            this.#failure(`ended with ${code === null ? `signal ${signalName}` : `code ${code}`}`),
          );
      });
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

  /** What the plugin is told about its task. */
  #info(interactive: boolean): JsonObject {
    const { exec, cluster } = this.#options;
    return {
      kind: 'ExecCredential',
      apiVersion: exec.apiVersion,
      spec: {
        interactive,
        ...(exec.provideClusterInfo && { cluster: clusterInfo(cluster.value) }),
      },
    };
  }

  #failure(problem: string, cause?: unknown): ConfigError {
    const { exec } = this.#options;
    const isMissing = (cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
    const hint = isMissing && exec.installHint !== '' ? exec.installHint.trim() : undefined;
    return new ConfigError('CONFIG_EXEC_FAILED', `credential plugin ${exec.command} ${problem}`, {
      ...(cause !== undefined && { cause }),
      ...(hint !== undefined && { hint }),
    });
  }
}

function clusterInfo(cluster: Cluster): JsonObject {
  const extension = cluster.extensions.find(({ name }) => name === CLUSTER_EXTENSION);
  return {
    server: cluster.server,
    ...(cluster.tlsServerName !== '' && { 'tls-server-name': cluster.tlsServerName }),
    ...(cluster.insecureSkipTlsVerify && { 'insecure-skip-tls-verify': true }),
    ...(cluster.certificateAuthorityData !== '' && {
      'certificate-authority-data': cluster.certificateAuthorityData,
    }),
    ...(cluster.proxyUrl !== '' && { 'proxy-url': cluster.proxyUrl }),
    ...(extension !== undefined && { config: extension.extension as JsonObject }),
  };
}

/** Reads what a plugin printed. Nothing of it is ever quoted in an error: it holds secrets. */
function readCredential(output: string, exec: ExecConfig): Kept {
  const fail = (problem: string): ConfigError =>
    new ConfigError('CONFIG_EXEC_FAILED', `credential plugin ${exec.command} ${problem}`);
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
  const expiresAt = expiry === '' ? Infinity : Date.parse(expiry);
  if (Number.isNaN(expiresAt)) throw fail('gave an expirationTimestamp that is no time');
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
