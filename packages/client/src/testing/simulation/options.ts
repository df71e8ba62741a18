import type { Manager } from '../../controller/manager.ts';
import type { ManagerOptions } from '../../controller/manager-options.ts';
import type { CustomResourceDefinition } from '../../api/apiextensions/v1.ts';
import type { Clientset } from '../../kubernetes/clientset.ts';
import type { Random } from '../../lib/random.ts';
import type { FaultKind, SimulatedFault } from './fault.ts';
import type { Invariant } from './invariants.ts';
import type { WorldAction } from './plan.ts';
import type { SimulatedProcess } from './simulated-process.ts';

/** The cluster in which controllers run, and what happens in it without them. */
export interface SimulatedWorld {
  /** Custom resources, made with `defineResource`. They exist before the controllers start. */
  readonly resources?: readonly { readonly definition: CustomResourceDefinition }[] | undefined;
  /** Creates what exists before the controllers start. */
  readonly setUp?: ((client: Clientset) => Promise<unknown>) | undefined;
  /** Returns what users do during the run. Draw from `random` only, so that it repeats. */
  readonly actions?: ((random: Random) => readonly WorldAction[]) | undefined;
  /**
   * Programs that run beside the controllers, such as a kubelet or another operator. Faults do not
   * hit them. They end when their signal aborts.
   */
  readonly programs?: readonly ((process: SimulatedProcess) => Promise<void>)[] | undefined;
}

/** What is simulated: the options that `simulate` and `explore` share. */
export interface SimulationSubject {
  /**
   * Adds controllers to a manager, at each start of a process. Everything that they remember must be
   * made in this function: a crash forgets it.
   */
  readonly controllers: (manager: Manager, process: SimulatedProcess) => void;
  /**
   * The options of the manager. Its clock, randomness, logger and the identity in the election are
   * those of the process, it serves no ports, and its loop guard reports without slowing down.
   */
  readonly manager?: ManagerOptions | ((process: SimulatedProcess) => ManagerOptions) | undefined;
  readonly world?: SimulatedWorld | undefined;
  /**
   * The kinds of faults to draw from, or faults that happen exactly so. Default: all kinds. An empty
   * list is a run without faults.
   */
  readonly faults?: readonly (FaultKind | SimulatedFault)[] | undefined;
  /** What must hold. Default: {@link builtInInvariants}. */
  readonly invariants?: readonly Invariant[] | undefined;
  /** How many processes run the controllers. Default 1. */
  readonly replicas?: number | undefined;
  /** The time in which actions and faults begin. Default 30 s, of virtual time as all durations. */
  readonly durationMs?: number | undefined;
  /** The time that the controllers have to settle when the faults are over. Default 10 minutes. */
  readonly settleMs?: number | undefined;
  /** The time without a write after which they count as settled. Default 10 s. */
  readonly quietMs?: number | undefined;
}
