import type { Duplex, Readable, Writable } from 'node:stream';

import type { Pod } from 'client-ts/api/core/v1';
import { ClientError, defineErrors } from 'client-ts/internal';
import type { TerminalSize } from 'client-ts/streams';

/** A pod on a node. */
export interface PodTarget {
  /** The name of the node that the pod is bound to. */
  readonly node: string;
  readonly namespace: string;
  readonly name: string;
  /** The pod itself, if the caller knows it. A kubelet behind its own HTTPS port does not. */
  readonly pod?: Pod | undefined;
}

/** A container of a pod on a node. */
export interface ContainerTarget extends PodTarget {
  readonly container: string;
}

/** Which part of a container's log to read. The fields are those of `PodLogOptions`. */
export interface ContainerLogOptions {
  /** Continues with lines that are written later, until the container ends. Default false. */
  readonly follow?: boolean | undefined;
  /** Reads the log of the previous instance of the container. Default false. */
  readonly previous?: boolean | undefined;
  readonly sinceSeconds?: number | undefined;
  /** In milliseconds since the epoch. */
  readonly sinceTimeMs?: number | undefined;
  /** Starts every line with its time. Default false. */
  readonly timestamps?: boolean | undefined;
  readonly tailLines?: number | undefined;
  readonly limitBytes?: number | undefined;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** The terminal of a process: its size, which clients can change. */
export interface Terminal {
  /** Undefined until the client has sent one. */
  readonly size: TerminalSize | undefined;
  /** Calls the listener with every new size, until the result is disposed. */
  onResize(listener: (size: TerminalSize) => void): Disposable;
}

/** The streams of a process in a container. Streams that the client did not ask for are absent. */
export interface ProcessStreams {
  readonly stdin?: Readable | undefined;
  readonly stdout?: Writable | undefined;
  /** Absent with a terminal, whose output is one stream. */
  readonly stderr?: Writable | undefined;
  /** Set if the process has a terminal. */
  readonly terminal?: Terminal | undefined;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Connects the streams to a process. Resolves to its exit code when it has ended and all of its
 * output is written.
 */
export type ContainerProcess = (streams: ProcessStreams) => Promise<number>;

/** A request to the HTTP API of a node. */
export interface NodeRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly signal: AbortSignal;
}

/** The response of a node. */
export interface NodeResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array> | Uint8Array;
}

/** The resources that a container uses, as `metrics.k8s.io` reports them. */
export interface ContainerUsage {
  readonly name: string;
  readonly cpuMillis: number;
  readonly memoryBytes: number;
}

/**
 * The nodes of a cluster, as an API server sees them. It gets requests for logs, commands and ports
 * of pods that are bound to a node; the server has checked them against the pod before.
 *
 * Methods reject with a {@link KubeletError} to refuse a request.
 */
export interface Kubelet {
  /** Returns the log of a container as a stream. */
  logs(
    target: ContainerTarget,
    options: ContainerLogOptions,
  ): Promise<AsyncIterableIterator<Uint8Array>>;
  /** Finds the container and returns a function that runs the command in it. */
  exec(target: ContainerTarget, command: readonly string[]): Promise<ContainerProcess>;
  /** Finds the container and returns a function that connects to its main process. */
  attach(target: ContainerTarget): Promise<ContainerProcess>;
  /** Opens a connection to a port of the pod. */
  connect(
    target: PodTarget,
    port: number,
    options: { readonly signal: AbortSignal },
  ): Promise<Duplex>;
  /** Answers a request to the HTTP API of a node, for the `proxy` of nodes. */
  request(node: string, request: NodeRequest): Promise<NodeResponse>;
  /** Returns what the containers of a pod use; undefined if the pod does not run. */
  usage(target: PodTarget): readonly ContainerUsage[] | undefined;
}

/** A kubelet refuses a request. `status` and message are those of its HTTP response. */
export class KubeletError extends ClientError {
  readonly status: number;

  constructor(status: number, message: string) {
    super('APISERVER_KUBELET_REFUSED', message);
    this.status = status;
  }

  static {
    defineErrors(this, 'KubeletError', 'APISERVER', {
      APISERVER_KUBELET_REFUSED: { retry: 'never' },
    });
  }
}
