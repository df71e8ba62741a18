import type { Kubectl } from '../kubectl.ts';

/** One thing people do with kubectl; it throws if the server does not play along. */
export interface Step {
  readonly name: string;
  /** The first minor version of kubectl that can do it. */
  readonly since?: number;
  readonly run: (kubectl: Kubectl) => Promise<void>;
}
