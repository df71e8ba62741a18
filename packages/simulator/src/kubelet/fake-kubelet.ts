import type { Duplex } from 'node:stream';

import {
  type ContainerLogOptions,
  type ContainerProcess,
  type ContainerTarget,
  type ContainerUsage,
  type Kubelet,
  KubeletError,
  type NodeRequest,
  type NodeResponse,
  type PodTarget,
} from '@client-ts/apiserver';
import type { Container, Pod } from 'client-ts/api/core/v1';
import {
  type Clock,
  getKey,
  type Random,
  seededRandom,
  systemClock,
  systemRandom,
} from 'client-ts/internal';

import { between, hash } from '../chance.ts';

import {
  type ContainerExit,
  type ContainerHost,
  ContainerInstance,
  type PodPorts,
} from './container.ts';
import { type LocalProcessOptions, LocalProcesses } from './local-processes.ts';
import type { Program } from './program.ts';
import { builtInPrograms } from './programs.ts';

/** Options of a {@link FakeKubelet}. */
export interface FakeKubeletOptions {
  /**
   * Programs by name, beside the built-in ones. A container runs the program with the name of its
   * command (`sleep` for `/bin/sleep`); without a command, that of its image without registry and tag
   * (`nginx`); and otherwise the built-in `app`, which serves HTTP and writes log lines.
   */
  readonly programs?: Readonly<Record<string, Program>> | undefined;
  /**
   * What containers do whose command is unknown: `fail` (default) with exit code 127, or run the
   * built-in `app`.
   */
  readonly unknownCommands?: 'app' | 'fail' | undefined;
  /**
   * **Runs commands on this machine**, with the rights of this program and without any isolation: those
   * of containers, and everything that a client of the API server may `exec`. Use it only with manifests and
   * clients that you trust. Default: not at all.
   *
   * Commands that `programs` does not name are then processes of this machine, instead of built-in
   * programs, and ports that a pod declares are ports of this machine. They are killed with their
   * children when the container stops. They have no terminal: with `tty`, line editing and Ctrl-C work,
   * but the process itself sees pipes.
   */
  readonly localProcesses?: LocalProcessOptions | true | undefined;
  /** How much of a log is kept per container, in bytes. Default 1 MiB. */
  readonly maxLogBytes?: number | undefined;
  /** Called with errors that programs throw. Default: they are only in the output of the program. */
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

const MAX_LOG_BYTES = 1024 * 1024;

interface RunningPod {
  readonly uid: string;
  readonly pod: Pod;
  readonly ports: PodPorts;
  readonly containers: Map<string, ContainerSlot>;
}

/** The current and the previous instance of a container. */
interface ContainerSlot {
  current: ContainerInstance;
  previous: ContainerInstance | undefined;
}

/**
 * The kubelets of a cluster without machines: containers are scripted programs. Give it to an
 * embedded API server, and `kubectl logs`, `exec`, `attach`, `port-forward`, `cp` and `top` work.
 *
 * A simulation starts and stops containers; without one, a container is started when it is first
 * asked for. {@link close} kills all of them.
 *
 * ```ts
 * await using kubelet = new FakeKubelet({ programs: { migrate: async ({ stdout }) => 0 } });
 * await using server = await ApiServer.start({ kubelet });
 * ```
 */
export class FakeKubelet implements Kubelet, AsyncDisposable {
  readonly #programs: Readonly<Record<string, Program>>;
  readonly #runsUnknown: boolean;
  readonly #host: ContainerHost;
  readonly #pods = new Map<string, RunningPod>();
  readonly #local: LocalProcesses | undefined;

  constructor(options: FakeKubeletOptions = {}) {
    const { programs = {}, maxLogBytes = MAX_LOG_BYTES, onError = () => undefined } = options;
    const { localProcesses: local } = options;
    this.#local = local && new LocalProcesses(local === true ? {} : local);
    this.#programs = { ...builtInPrograms, ...programs };
    this.#runsUnknown = options.unknownCommands === 'app';
    this.#host = {
      clock: options.clock ?? systemClock,
      random: options.random ?? systemRandom,
      maxLogBytes,
      program: (name) => this.#local?.programBeside(programs, name) ?? getKey(this.#programs, name),
      onError,
    };
  }

  /**
   * Starts a container of a pod, or restarts it: the log of the instance before becomes the previous
   * one. Resolves when its main process has ended.
   */
  start(pod: Pod, container: string): Promise<ContainerExit> {
    const running = this.#podOf(pod);
    const spec = containersOf(pod).find(({ name }) => name === container);
    if (spec === undefined)
      throw new KubeletError(404, `container not found (${JSON.stringify(container)})`);
    const slot = running.containers.get(container);
    slot?.current.kill();
    const current = new ContainerInstance(this.#host, pod, spec, this.#main(spec), running.ports);
    running.containers.set(container, { current, previous: slot?.current });
    return current.ended;
  }

  /** Returns whether a container has a program of its own, by its command or image. */
  hasProgram(container: Container): boolean {
    return this.#programOf(container) !== undefined;
  }

  /** Kills the main process of a container; its log stays. */
  stop(pod: Pod, container: string, exitCode?: number): void {
    this.#known(pod)?.containers.get(container)?.current.kill(exitCode);
  }

  /** Kills all containers of a pod and drops their logs. */
  remove(pod: Pod): void {
    const running = this.#known(pod);
    if (running === undefined) return;
    for (const { current } of running.containers.values()) current.kill();
    this.#pods.delete(keyOf(pod));
  }

  async logs(
    target: ContainerTarget,
    options: ContainerLogOptions,
  ): Promise<AsyncIterableIterator<Uint8Array>> {
    const slot = this.#slot(target);
    const { previous = false, sinceSeconds, sinceTimeMs } = options;
    const instance = previous ? slot.previous : slot.current;
    const { container, name } = target;
    if (instance === undefined) {
      throw new KubeletError(
        400,
        `previous terminated container "${container}" in pod "${name}" not found`,
      );
    }
    return instance.log.read({
      follow: options.follow ?? false,
      sinceMs:
        sinceSeconds === undefined ? sinceTimeMs : this.#host.clock.now() - sinceSeconds * 1000,
      tailLines: options.tailLines,
      limitBytes: options.limitBytes,
      timestamps: options.timestamps ?? false,
      signal: options.signal,
    });
  }

  async exec(target: ContainerTarget, command: readonly string[]): Promise<ContainerProcess> {
    const instance = this.#running(target);
    return (streams) => instance.exec(command, streams);
  }

  async attach(target: ContainerTarget): Promise<ContainerProcess> {
    const instance = this.#running(target);
    return (streams) => instance.attach(streams);
  }

  async connect(target: PodTarget, port: number): Promise<Duplex> {
    const running = this.#find(target);
    const [first] = containersOf(running.pod);
    const isLocal = this.#local !== undefined && !running.ports.has(port);
    if (isLocal && declaresPort(running.pod, port)) return await this.#local.connect(port);
    return this.#running({ ...target, container: first?.name ?? '' }).connect(port);
  }

  async request(_node: string, { url }: NodeRequest): Promise<NodeResponse> {
    const [path = ''] = url.split('?');
    const isHealth = path === '/healthz';
    return {
      status: isHealth ? 200 : 404,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: Buffer.from(isHealth ? 'ok' : '404 page not found\n'),
    };
  }

  usage(target: PodTarget): readonly ContainerUsage[] | undefined {
    const running = this.#pods.get(`${target.namespace}/${target.name}`);
    if (running === undefined) return undefined;
    const alive = [...running.containers].filter(([, { current }]) => current.isRunning);
    return alive.length === 0
      ? undefined
      : alive.map(([name]) => simulatedUsage(`${running.uid} ${name}`, name, this.#host.clock));
  }

  /** Kills all containers. */
  async close(): Promise<void> {
    for (const { pod } of this.#pods.values()) this.remove(pod);
    await this.#local?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #programOf({ command: [command] = [], image = '' }: Container): Program | undefined {
    if (command === undefined) return getKey(this.#programs, imageName(image));
    const name = baseName(command);
    return this.#host.program(name) ?? getKey(this.#programs, name);
  }

  #main(spec: Container): Program {
    const [command] = spec.command ?? [];
    const program = this.#programOf(spec);
    if (program !== undefined) return program;
    if (command === undefined || this.#runsUnknown) return this.#programs['app'] as Program;
    return ({ stderr }) => {
      stderr.write(`exec: ${JSON.stringify(command)}: executable file not found in $PATH\n`);
      return 127;
    };
  }

  #running(target: ContainerTarget): ContainerInstance {
    const { current } = this.#slot(target);
    if (current.isRunning) return current;
    throw new KubeletError(500, `container not found (${JSON.stringify(target.container)})`);
  }

  /** Returns the instances of a container, which is started if nothing else does. */
  #slot(target: ContainerTarget): ContainerSlot {
    const { pod } = this.#find(target);
    const { container, name } = target;
    const known = this.#known(pod)?.containers.get(container);
    if (known !== undefined) return known;
    const state = pod.status?.containerStatuses?.find((one) => one.name === container)?.state;
    if (state !== undefined && state.running === undefined) {
      const reason = state.waiting?.reason ?? 'ContainerCreating';
      throw new KubeletError(
        400,
        `container "${container}" in pod "${name}" is waiting to start: ${reason}`,
      );
    }
    this.start(pod, container).catch(() => undefined);
    return this.#slot(target);
  }

  #find({ namespace, name, pod }: PodTarget): RunningPod {
    const running = pod === undefined ? this.#pods.get(`${namespace}/${name}`) : this.#podOf(pod);
    if (running === undefined) throw new KubeletError(404, `pod "${name}" does not exist`);
    return running;
  }

  #known(pod: Pod): RunningPod | undefined {
    const running = this.#pods.get(keyOf(pod));
    return running?.uid === pod.metadata?.uid ? running : undefined;
  }

  /** A pod of the same name that was deleted before is removed. */
  #podOf(pod: Pod): RunningPod {
    const before = this.#pods.get(keyOf(pod));
    const { uid = '' } = pod.metadata ?? {};
    if (before?.uid === uid) {
      const now = { ...before, pod };
      this.#pods.set(keyOf(pod), now);
      return now;
    }
    if (before !== undefined) this.remove(before.pod);
    const running: RunningPod = { uid, pod, ports: new Map(), containers: new Map() };
    this.#pods.set(keyOf(pod), running);
    return running;
  }
}

/** Numbers that differ between containers and move slowly: a base and a wave of some minutes. */
function simulatedUsage(key: string, name: string, clock: Clock): ContainerUsage {
  const random = seededRandom(hash(key));
  const cpu = between(random, 5, 80);
  const memory = between(random, 20, 180) * 1024 * 1024;
  const wave = Math.sin(clock.now() / between(random, 20_000, 90_000));
  return {
    name,
    cpuMillis: Math.max(1, cpu * (1 + wave / 2)),
    memoryBytes: Math.round(memory * (1 + wave / 10)),
  };
}

function containersOf({ spec }: Pod): readonly Container[] {
  return [
    ...(spec?.containers ?? []),
    ...(spec?.initContainers ?? []),
    ...((spec?.ephemeralContainers ?? []) as readonly Container[]),
  ];
}

function declaresPort(pod: Pod, port: number): boolean {
  const ports = containersOf(pod).flatMap((container) => container.ports ?? []);
  return ports.some(({ containerPort }) => containerPort === port);
}

function keyOf({ metadata }: Pod): string {
  return `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
}

/** `registry.example/shop/web:v1@sha256:…` is `web`. */
function imageName(image: string): string {
  return baseName(image).replace(/[:@].*$/, '');
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
