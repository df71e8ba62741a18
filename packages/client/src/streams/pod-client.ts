import { type Pod, type pods } from '../api/core/v1.ts';
import type { ResourceDescriptor } from '../meta/resource.ts';
import { GenericClient } from '../rest/generic-client.ts';
import type { AllNamespacesClient, ResourceClient } from '../rest/resource-client.ts';
import type { RESTClient } from '../rest/rest-client.ts';
import type { Stream } from '../rest/stream.ts';
import type { AttachOptions, ExecOptions, PodReference } from './exec.ts';
import type { ExecSession } from './exec-session.ts';
import type { CopyOptions, CopyResult } from './copy.ts';
import { logBytes, type LogOptions, logs } from './logs.ts';
import { logsOf, type PodLogLine, type PodLogsOptions } from './pod-logs.ts';
import type { PortForwarder, PortForwardOptions, PortMapping } from './port-forward.ts';

/** The streams of many pods. */
export interface AllPodStreams {
  /**
   * Returns the lines of the logs of all selected pods; with `follow`, of pods that come later, too.
   */
  logsOf(options?: PodLogsOptions): Stream<PodLogLine>;
}

/** The streams of the pods of one namespace. */
export interface PodStreams extends AllPodStreams {
  /** Returns the lines of a container's log; with `follow`, across lost connections. */
  logs(name: string, options?: LogOptions): Stream<string>;
  /** Returns the log of a container as bytes. */
  logBytes(name: string, options?: LogOptions): Stream<Uint8Array>;
  /**
   * Runs a command in a container. `session.output()` returns what it wrote and its exit code;
   * `session.stdin`, `stdout` and `stderr` are streams.
   */
  exec(name: string, command: readonly string[], options?: ExecOptions): Promise<ExecSession>;
  /** Attaches to the main process of a container. */
  attach(name: string, options?: AttachOptions): Promise<ExecSession>;
  /** Forwards local ports to a pod. Resolves when they listen. */
  portForward(
    name: string,
    ports: readonly PortMapping[],
    options?: PortForwardOptions,
  ): Promise<PortForwarder>;
  /** Copies a local file or folder into a container, as `target`. The container needs `tar`. */
  copyTo(name: string, source: string, target: string, options?: CopyOptions): Promise<CopyResult>;
  /** Copies a file or folder of a container, as `target`, and writes nowhere else. */
  copyFrom(
    name: string,
    source: string,
    target: string,
    options?: CopyOptions,
  ): Promise<CopyResult>;
}

/** The client of the pods of one namespace. */
export interface PodClient extends ResourceClient<typeof pods>, PodStreams {}

/** The client of the pods of all namespaces. */
export interface AllPodsClient
  extends AllPodStreams, Omit<AllNamespacesClient<typeof pods>, 'namespace'> {
  namespace(namespace: string): PodClient;
}

/** Returns the client of pods: every verb, and the streams. */
export function podClient(
  rest: RESTClient,
  descriptor: ResourceDescriptor,
  namespace: string | undefined,
): PodStreams {
  return new StreamingClient(rest, descriptor as ResourceDescriptor<Pod>, namespace);
}

class StreamingClient extends GenericClient<Pod> implements PodStreams {
  readonly #rest: RESTClient;

  constructor(rest: RESTClient, descriptor: ResourceDescriptor<Pod>, namespace?: string) {
    super(rest, descriptor, namespace);
    this.#rest = rest;
  }

  override namespace(namespace: string): StreamingClient {
    return new StreamingClient(this.#rest, this.descriptor, namespace);
  }

  logs(name: string, options?: LogOptions): Stream<string> {
    return logs(this.#rest, this.#pod(name), options);
  }

  logBytes(name: string, options?: LogOptions): Stream<Uint8Array> {
    return logBytes(this.#rest, this.#pod(name), options);
  }

  async exec(
    name: string,
    command: readonly string[],
    options?: ExecOptions,
  ): Promise<ExecSession> {
    const { exec } = await import('./exec.ts');
    return await exec(this.#rest, this.#pod(name), command, options);
  }

  async attach(name: string, options?: AttachOptions): Promise<ExecSession> {
    const { attach } = await import('./exec.ts');
    return await attach(this.#rest, this.#pod(name), options);
  }

  logsOf(options?: PodLogsOptions): Stream<PodLogLine> {
    return logsOf(this.#rest, this.namespaceName, options);
  }

  async portForward(
    name: string,
    ports: readonly PortMapping[],
    options?: PortForwardOptions,
  ): Promise<PortForwarder> {
    const { portForward } = await import('./port-forward.ts');
    return await portForward(this.#rest, this.#pod(name), ports, options);
  }

  async copyTo(
    name: string,
    source: string,
    target: string,
    options?: CopyOptions,
  ): Promise<CopyResult> {
    const { copyTo } = await import('./copy.ts');
    return await copyTo(this.#rest, this.#pod(name), source, target, options);
  }

  async copyFrom(
    name: string,
    source: string,
    target: string,
    options?: CopyOptions,
  ): Promise<CopyResult> {
    const { copyFrom } = await import('./copy.ts');
    return await copyFrom(this.#rest, this.#pod(name), source, target, options);
  }

  #pod(name: string): PodReference {
    return { namespace: this.namespaceName, name };
  }
}
