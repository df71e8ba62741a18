import { spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import {
  type Clock,
  type Environment,
  isJsonObject,
  type JsonObject,
  onAbort,
  setKey,
  SingleFlight,
  systemClock,
  systemEnvironment,
} from '../lib/index.ts';
import { parseTimestamp } from '../meta/time.ts';
import { type DiagnosedCertificate, publish } from '../transport/diagnostics.ts';
import type { Credentials, CredentialSource } from '../transport/index.ts';
import { ConfigError } from './config-error.ts';
import { dataOrFile, resolvePath } from './files.ts';
import type { Cluster, ExecConfig } from './kubeconfig.ts';

/** The cluster extension that is passed to plugins. */
const CLUSTER_EXTENSION = 'client.authentication.k8s.io/exec';
/** Enough time to log in with a browser. */
const TIMEOUT_MS = 5 * 60_000;

/** Options of {@link ExecCredentials}. */
export interface ExecCredentialsOptions {
  readonly exec: ExecConfig;
  /** The kubeconfig that contains the stanza. */
  readonly origin: string;
  readonly cluster: Cluster;
  readonly env?: Environment | undefined;
  readonly clock?: Clock | undefined;
  /** Whether the plugin can prompt. Default: standard input is a terminal. */
  readonly isTerminal?: boolean | undefined;
  /** The plugin is killed after this time. Default: 5 minutes. */
  readonly timeoutMs?: number | undefined;
}

let lastId = 0;

interface Kept {
  readonly credentials: Credentials;
  readonly expiresAt: number;
}

/**
 * Credentials that a program prints. It runs when they are first needed, and again when they expire
 * or the server refuses them; concurrent requests share one run. A run that takes too long, or that
 * no request waits for any more, is killed.
 */
export class ExecCredentials implements CredentialSource {
  readonly #options: ExecCredentialsOptions;
  readonly #clock: Clock;
  readonly #runs = new SingleFlight<Kept>();
  readonly #id = ++lastId;
  #kept: Kept | undefined;
  /** What the next run replaces. */
  #refused: Credentials | undefined;
  #lastFailure: PluginFailureOptions | undefined;

  constructor(options: ExecCredentialsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  async get({ signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<Credentials> {
    const kept = this.#kept;
    if (kept !== undefined && kept.expiresAt > this.#clock.now()) return kept.credentials;
    const { credentials } = await this.#runs.run((abandoned) => this.#run(abandoned), signal);
    return credentials;
  }

  refused(credentials: Credentials): void {
    // A late refusal of old credentials does not affect new ones.
    if (this.#kept?.credentials !== credentials) return;
    this.#kept = undefined;
    this.#refused = credentials;
  }

  async #run(signal: AbortSignal): Promise<Kept> {
    const { exec } = this.#options;
    const old = this.#kept?.credentials ?? this.#refused;
    this.#lastFailure = undefined;
    try {
      const output = await this.#output(signal);
      const kept = readCredential(output, exec);
      this.#publish(old, kept.credentials);
      this.#kept = kept;
      this.#refused = undefined;
      return kept;
    } catch (error) {
      if (!signal.aborted) this.#publishFailure();
      throw error;
    }
  }

  #publish(old: Credentials | undefined, { cert }: Credentials): void {
    publish('client-ts:credentials:exec', () => {
      const certificate = validityOf(cert);
      const replaced = old?.cert === cert ? undefined : validityOf(old?.cert);
      return {
        plugin: this.#id,
        status: 'no_error',
        exitCode: 0,
        ...(certificate !== undefined && { certificate }),
        ...(replaced !== undefined && { replaced }),
      };
    });
  }

  #publishFailure(): void {
    publish('client-ts:credentials:exec', () => {
      const { exitCode, isMissing = false } = this.#lastFailure ?? {};
      const isExit = exitCode !== undefined;
      const other = isMissing ? 'plugin_not_found_error' : 'client_internal_error';
      const status = isExit ? 'plugin_execution_error' : other;
      return { plugin: this.#id, status, exitCode: exitCode ?? 1 };
    });
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

  /** Returns the ExecCredential that is passed to the plugin. */
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

  #failure(problem: string, failure: PluginFailureOptions = {}): ConfigError {
    const { cause, isMissing = false } = failure;
    this.#lastFailure = failure;
    const { command, installHint } = this.#options.exec;
    return new ConfigError('CONFIG_EXEC_FAILED', `credential plugin ${shown(command)} ${problem}`, {
      cause,
      ...(isMissing && installHint !== '' && { hint: installHint.trim() }),
    });
  }
}

async function clusterInfo(cluster: Cluster): Promise<JsonObject> {
  const extension = cluster.extensions.find(({ name }) => name === CLUSTER_EXTENSION);
  const { certificateAuthority: file, certificateAuthorityData: data } = cluster;
  // Plugins get the content, because they may not be able to resolve a path.
  const authority = await dataOrFile(data, file, cluster.origin);
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

/** A command for messages: control characters are escaped. */
function shown(command: string): string {
  return JSON.stringify(command).slice(1, -1);
}

/** Parses the output of a plugin. Errors never quote it: it contains secrets. */
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
    throw fail(`printed another version than ${exec.apiVersion}, which the kubeconfig requires`);
  }
  const { status } = printed;
  if (!isJsonObject(status)) throw fail('printed an ExecCredential without a status');
  const token = textOf(status['token']);
  const cert = textOf(status['clientCertificateData']);
  const key = textOf(status['clientKeyData']);
  if (token === '' && cert === '') throw fail('printed neither a token nor a client certificate');
  if ((cert === '') !== (key === ''))
    throw fail('printed a client certificate or its key, but not both');
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

/** Returns undefined if there is no certificate, or none that can be read. */
function validityOf(pem: string | undefined): DiagnosedCertificate | undefined {
  if (pem === undefined) return undefined;
  try {
    const { validFrom, validTo } = new X509Certificate(pem);
    return { issuedAt: Date.parse(validFrom), expiresAt: Date.parse(validTo) };
  } catch {
    return undefined;
  }
}

function expiryMs(text: string): number | undefined {
  const timestamp = parseTimestamp(text);
  return timestamp && timestamp.seconds * 1000;
}

/** Larger output is not a credential. */
const MAX_OUTPUT_BYTES = 1024 * 1024;

export interface PluginRun {
  /** A path, or a name to look up in the `PATH` of `env`. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Environment;
  /** The environment of the plugin. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** True if the plugin may prompt on the terminal. */
  readonly isInteractive: boolean;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Returns the error to throw. `problem` completes a sentence, and quotes no argument. */
  readonly fail: (problem: string, options?: PluginFailureOptions) => ConfigError;
}

export interface PluginFailureOptions {
  readonly cause?: unknown;
  /** True if the program is not installed. */
  readonly isMissing?: boolean | undefined;
  /** The exit code of a program that failed. */
  readonly exitCode?: number | undefined;
}

/**
 * Runs a credential plugin to its end and returns what it prints. The plugin is killed when it
 * exceeds its time limit or prints too much, and when the signal aborts; its output is then closed
 * as well, so that a child process that keeps printing ends too.
 */
export async function runPlugin(run: PluginRun): Promise<string> {
  refuseNul(run);
  const file = await findProgram(run);
  run.signal.throwIfAborted();
  const { args, clock, fail, isInteractive, signal, timeoutMs, variables } = run;
  const ties: Disposable[] = [];
  try {
    return await new Promise<string>((resolve, reject) => {
      const child = spawn(file, [...args], {
        env: { ...variables },
        // Prompts and error messages of the plugin go to the terminal.
        stdio: [isInteractive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
      });
      const kill = (reason: unknown): void => {
        child.kill('SIGKILL');
        child.stdout.destroy();
        reject(reason);
      };
      const chunks: Buffer[] = [];
      let size = 0;
      child.stdout.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > MAX_OUTPUT_BYTES) kill(fail('printed too much to be a credential'));
      });
      child.on('error', (error) => reject(startFailure(error, fail)));
      child.once('close', (code, signalName) => {
        if (code === 0) resolve(Buffer.concat(chunks).toString('utf8'));
        else {
          const how = code === null ? `signal ${signalName}` : `code ${code}`;
          // Go reports -1 for a process that a signal has ended.
          reject(fail(`exited with ${how}`, { exitCode: code ?? -1 }));
        }
      });
      ties.push(
        clock.schedule(timeoutMs, () =>
          kill(fail(`did not exit within ${timeoutMs / 1000} s and was killed`)),
        ),
        onAbort(signal, () => kill(signal.reason)),
      );
    });
  } catch (error) {
    // Node throws some failures to start a program instead of emitting them.
    throw error instanceof ConfigError || signal.aborted ? error : startFailure(error, fail);
  } finally {
    for (const tie of ties) tie[Symbol.dispose]();
  }
}

/** Node would throw a TypeError that quotes the argument. */
function refuseNul({ command, args, variables, fail }: PluginRun): void {
  const refuse = (what: string): never => {
    throw fail(`cannot be started: ${what} contains a NUL character`);
  };
  if (command.includes('\0')) refuse('its command');
  for (const [index, argument] of args.entries()) {
    if (argument.includes('\0')) refuse(`args[${index}]`);
  }
  for (const [name, value = ''] of Object.entries(variables)) {
    if (`${name}${value}`.includes('\0')) refuse('a variable of its environment');
  }
}

/** Keeps the harmless part of an error of `spawn`: it also holds the arguments, which may be secrets. */
function startFailure(error: unknown, fail: PluginRun['fail']): ConfigError {
  if (!(error instanceof Error)) return fail('could not be started');
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  const cause = Object.assign(new Error(error.message), { code, syscall, path });
  return fail('could not be started', { cause, isMissing: code === 'ENOENT' });
}

/**
 * Looks up a name in the PATH, by Go's rules: a program that is found through a relative or empty
 * entry is refused, because anyone who can write to the working directory could have put it there.
 */
async function findProgram({ command, env, fail }: PluginRun): Promise<string> {
  if (/[\\/]/.test(command)) return command;
  const extensions =
    process.platform === 'win32' ? ['', ...(env['PATHEXT'] ?? '.COM;.EXE').split(';')] : [''];
  const path = env['PATH'] ?? env['Path'] ?? '';
  for (const folder of path === '' ? [] : path.split(delimiter)) {
    for (const extension of extensions) {
      const file = join(folder, command + extension);
      if (!(await isProgram(file))) continue;
      if (isAbsolute(file)) return file;
      throw fail(
        'was found in the working directory, because the PATH has a relative or an empty entry',
      );
    }
  }
  throw fail('was not found in the PATH', { isMissing: true });
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
