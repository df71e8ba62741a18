import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ApiServer } from '@client-ts/apiserver';
import {
  type Config,
  createTransport,
  type DiagnosticMessages,
  type ProtocolChoice,
  type Transport,
  type TransportOptions,
  type TransportRequest,
  type TransportResponse,
} from 'client-ts/transport';

export const choices: readonly ProtocolChoice[] = ['auto', 'http1'];

/** Returns a transport to the server as its administrator, ignoring the environment. */
export function connect(
  server: ApiServer,
  config: Partial<Config> = {},
  options: TransportOptions = {},
): Transport {
  return createTransport(
    { server: server.url, tls: { ca: server.ca }, auth: { token: server.token }, ...config },
    { env: {}, ...options },
  );
}

export async function bodyText({ body }: TransportResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

export async function bodyJson<T>(response: TransportResponse): Promise<T> {
  return JSON.parse(await bodyText(response)) as T;
}

export function get(
  transport: Transport,
  path = '/api/v1/namespaces/default',
  request: Partial<TransportRequest> = {},
): Promise<TransportResponse> {
  return transport.request({ method: 'GET', path, headers: {}, ...request });
}

export function post(
  transport: Transport,
  path: string,
  body: unknown,
): Promise<TransportResponse> {
  const headers = { 'content-type': 'application/json' };
  return transport.request({
    method: 'POST',
    path,
    headers,
    body: Buffer.from(JSON.stringify(body)),
  });
}

interface UserInfo {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Returns the user that the server has authenticated. */
export async function whoAmI(transport: Transport): Promise<UserInfo> {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const answer = await post(transport, '/apis/authentication.k8s.io/v1/selfsubjectreviews', review);
  const text = await bodyText(answer);
  if (answer.status !== 201) throw new Error(`${answer.status}: ${text}`);
  return (JSON.parse(text) as { status: { userInfo: UserInfo } }).status.userInfo;
}

/** Collects the messages of a diagnostics channel while it lives. */
export class Listening<Name extends keyof DiagnosticMessages> implements Disposable {
  readonly messages: DiagnosticMessages[Name][] = [];
  readonly #name: Name;

  constructor(name: Name) {
    this.#name = name;
    subscribe(name, this.#listen);
  }

  [Symbol.dispose](): void {
    unsubscribe(this.#name, this.#listen);
  }

  readonly #listen = (message: unknown): void => {
    this.messages.push(message as DiagnosticMessages[Name]);
  };
}

/** A directory for the files of one test. */
export class Directory implements AsyncDisposable {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async create(): Promise<Directory> {
    return new Directory(await mkdtemp(join(tmpdir(), 'client-ts-transport-')));
  }

  /** Replaces a file atomically, and returns its path. */
  async write(name: string, content: string): Promise<string> {
    const path = join(this.path, name);
    await writeFile(`${path}.new`, content);
    await rename(`${path}.new`, path);
    return path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true });
  }
}
