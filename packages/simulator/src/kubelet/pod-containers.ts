import type { Pod, PodStatus } from 'client-ts/api/core/v1';

import type { CachedPod, PodState } from '../cluster.ts';
import type { FakeKubelet } from './fake-kubelet.ts';

/** Starts and stops the containers of pods as their states change. */
export class PodContainers {
  readonly #kubelet: FakeKubelet | undefined;
  readonly #onExit: (key: string) => void;
  readonly #pods = new Map<string, CachedPod>();
  /** Exit codes of main processes that have ended by themselves, by instance. */
  readonly #exits = new Map<string, number>();

  /** `onExit` is called with the key of a pod whose main process has ended by itself. */
  constructor(kubelet: FakeKubelet | undefined, onExit: (key: string) => void) {
    this.#kubelet = kubelet;
    this.#onExit = onExit;
  }

  /** Returns the exit code of the main process, if it has ended by itself. */
  exitCode(pod: CachedPod): number | undefined {
    return this.#exits.get(instanceOf(pod));
  }

  /** Starts the containers of a pod that runs already: the simulation has been started again. */
  keep(key: string, pod: CachedPod, state: PodState): void {
    if (state === 'running' && !this.#pods.has(key)) this.#start(key, pod, instanceOf(pod));
  }

  /** Starts or stops containers according to a new status. */
  follow(key: string, pod: CachedPod, status: PodStatus): void {
    const { state, lastState, restartCount } = status.containerStatuses?.[0] ?? {};
    if (state === undefined) return;
    if (state.running !== undefined) {
      this.#start(key, pod, `${pod.metadata.uid} ${restartCount ?? 0}`);
      return;
    }
    this.#exits.delete(instanceOf(pod));
    const { exitCode } = state.terminated ?? lastState?.terminated ?? {};
    for (const { name } of pod.spec?.containers ?? [])
      this.#kubelet?.stop(pod as Pod, name, exitCode);
  }

  /** Forgets a pod that is gone. */
  remove(key: string): void {
    const pod = this.#pods.get(key);
    if (pod === undefined) return;
    this.#pods.delete(key);
    this.#kubelet?.remove(pod as Pod);
    for (const instance of this.#exits.keys()) {
      if (instance.startsWith(`${pod.metadata.uid} `)) this.#exits.delete(instance);
    }
  }

  #start(key: string, pod: CachedPod, instance: string): void {
    const kubelet = this.#kubelet;
    if (kubelet === undefined) return;
    this.#pods.set(key, pod);
    const [first, ...others] = (pod.spec?.containers ?? []).map(({ name }) =>
      kubelet.start(pod as Pod, name),
    );
    void Promise.all(others);
    void first?.then((exit) => {
      if (exit.isKilled || this.#pods.get(key)?.metadata.uid !== pod.metadata.uid) return;
      this.#exits.set(instance, exit.code);
      this.#onExit(key);
    });
  }
}

function instanceOf({ metadata, status }: CachedPod): string {
  return `${metadata.uid} ${status?.containerStatuses?.[0]?.restartCount ?? 0}`;
}
